/** A place outside of the package files that names the version: the text before and after it, in a file. */
interface VersionPlace {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * All places that a release changes, besides the package files and the changelog. A place may occur several times in
 * its file.
 */
export const versionPlaces: readonly VersionPlace[] = [
  { file: 'deploy/compose.yaml', before: 'image: millrace:', after: '\n' },
  { file: 'deploy/Dockerfile', before: '-t millrace:', after: ' .' },
  { file: 'deploy/kubernetes/pod/kustomization.yaml', before: 'newTag: ', after: ' }' },
  { file: 'deploy/README.md', before: './millrace-', after: '.tgz' },
  { file: 'docs/reference/extraction-api.md', before: '{ "version": "', after: '", "extractionApi"' },
  { file: 'docs/how-to/use-the-client.md', before: 'millrace-client-', after: '.tgz' },
  { file: 'CONTRIBUTING.md', before: '-t millrace:', after: ' .`' },
];

/**
 * Replaces the version in one place.
 *
 * @throws Error if the file does not name the old version there.
 */
export function replaceVersion(text: string, { file, before, after }: VersionPlace, from: string, to: string): string {
  const old = `${before}${from}${after}`;
  if (!text.includes(old)) throw new Error(`${file} does not contain "${old.trim()}". Correct version-places.ts.`);
  return text.replaceAll(old, `${before}${to}${after}`);
}

/** Sets the version of the project's own packages in a `package.json` or a lock file, in npm's format. */
export function setManifestVersion(text: string, version: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown> & { packages?: Record<string, Record<string, unknown>> };
  // The entries of a lock file outside of node_modules are this project and its workspaces. Stubs have no version.
  const own = Object.entries(manifest.packages ?? {}).filter(([folder]) => /^(?:$|packages\/)/.test(folder));
  const packages = Object.fromEntries(own.map(([folder, one]) => [folder, { ...one, version }]));
  const locked = manifest.packages === undefined ? {} : { packages: { ...manifest.packages, ...packages } };
  return `${JSON.stringify({ ...manifest, version, ...locked }, null, 2)}\n`;
}
