import { ffmpegVersion } from '../../src/render/engine/ffmpeg-version.ts';
import type { ThirdPartyPackage } from '../licences/third-party-packages.ts';

/** The used members of a CycloneDX 1.5 document (https://cyclonedx.org/docs/1.5/json/). */
export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

export interface SbomComponent {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
}

/** The packages of the project itself, except the one that replaces what is not installed. */
const OWN_PACKAGES = /^millrace(?:-client)?@/;

const ffmpeg: SbomComponent = {
  'bom-ref': `ffmpeg@${ffmpegVersion}`,
  type: 'library',
  name: 'ffmpeg',
  version: ffmpegVersion,
  purl: `pkg:generic/ffmpeg@${ffmpegVersion}`,
  licenses: [{ license: { id: 'GPL-3.0-or-later' } }],
};

/**
 * Completes the document that `npm sbom` makes from the lock file, with all packages for development. It keeps those
 * that come with the service: `npm sbom --omit=dev` would leave out packages that the service shares with development
 * (npm 11.19.1), and those whose code only `dist` contains. It corrects the names of the project's own packages, which
 * npm names after their folders, and the licences that packages state. It adds FFmpeg, which node-av's binaries contain.
 */
export function completeSbom(sbom: Sbom, packages: readonly ThirdPartyPackage[]): Sbom {
  const licences = new Map(packages.map(({ name, version, licence }) => [`${name}@${version}`, licence]));
  const isOwn = (reference: string) => OWN_PACKAGES.test(reference);
  const comesAlong = (reference: string) => isOwn(reference) || licences.has(reference);
  const components = sbom.components
    .map(named)
    .filter((one) => comesAlong(one['bom-ref']))
    .map((one) => (isOwn(one['bom-ref']) ? one : { ...one, licenses: [{ expression: licences.get(one['bom-ref']) }] }));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => comesAlong(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: [...dependsOn.filter(comesAlong), ...(ref.startsWith('@seydx/node-av-') ? [ffmpeg['bom-ref']] : [])],
    }));
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: named(sbom.metadata.component) },
    components: [...components, ffmpeg],
    dependencies: [...dependencies, { ref: ffmpeg['bom-ref'], dependsOn: [] }],
  };
}

/** Names a component as its `bom-ref` does: `@scope/name@1.0.0`. */
function named(component: SbomComponent): SbomComponent {
  const reference = component['bom-ref'];
  return { ...component, name: reference.slice(0, reference.lastIndexOf('@')) };
}
