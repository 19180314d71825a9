import { readFile } from 'node:fs/promises';

/** A package that is installed with Millrace. */
export interface ThirdPartyPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Whether npm may skip it, for example on another system. */
  readonly optional: boolean;
  /** Where npm installs it, below the root of the project. */
  readonly folder: string;
}

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Licences that packages do not declare correctly, as found in their files on 2026-11-21. The binaries of node-av
 * contain FFmpeg, built with `--enable-gpl --enable-version3`.
 */
const licenceOverrides: readonly (readonly [names: RegExp, licence: string])[] = [
  [/^@seydx\/node-av-/, 'GPL-3.0-or-later'],
];

const PREFIX = 'node_modules/';

/**
 * Development dependencies whose code the build bundles, and what they depend on: npm does not install them, and `dist`
 * contains them. They are the largest of the bundled packages. A test compares the pattern with the bundles.
 */
const bundledForDevelopment =
  /^(?:@modelcontextprotocol\/(?:core|server)|@opentelemetry\/.*|@scalar\/fastify-api-reference|bintrees|lru-cache|prom-client|tdigest|typebox|zod)$/;

/**
 * Returns the packages that `npm ci --omit=dev` installs, on any system, sorted by name.
 *
 * @throws Error if a package declares no licence.
 */
export async function thirdPartyPackages(root: URL): Promise<readonly ThirdPartyPackage[]> {
  return await lockedPackages(root, ({ dev }) => dev !== true);
}

/**
 * Returns the packages whose code comes with the service, sorted by name: those of a production install, and those
 * that only the bundles contain.
 *
 * @throws Error if a package declares no licence.
 */
export async function distributedPackages(root: URL): Promise<readonly ThirdPartyPackage[]> {
  return await lockedPackages(root, ({ dev }, name) => dev !== true || bundledForDevelopment.test(name));
}

async function lockedPackages(
  root: URL,
  accepts: (one: LockedPackage, name: string) => boolean,
): Promise<readonly ThirdPartyPackage[]> {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return (
    Object.entries(lock.packages)
      // The other entries are this project itself: its root, its workspaces and the links to them.
      .filter(([folder, { link }]) => folder.startsWith(PREFIX) && link !== true)
      .map(([folder, one]) => ({ name: folder.slice(folder.lastIndexOf(PREFIX) + PREFIX.length), folder, one }))
      .filter(({ name, one }) => accepts(one, name))
      .map(({ name, folder, one: { version, license, optional, devOptional } }) => {
        const licence = licenceOverrides.find(([names]) => names.test(name))?.[1] ?? license;
        if (licence === undefined) throw new Error(`${name} ${version} declares no licence. Check its files.`);
        return { name, version, licence, optional: optional === true || devOptional === true, folder };
      })
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  );
}
