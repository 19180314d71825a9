import { distributedPackages, type ThirdPartyPackage } from './third-party-packages.ts';

/** Returns the page that lists every package that Millrace needs at run time, generated from the lock file. */
export async function thirdPartyPage(root: URL): Promise<string> {
  const packages = await distributedPackages(root);
  return `<!-- Made by "npm run docs" from package-lock.json. -->

# Third-party packages

The ${packages.length} packages in \`package-lock.json\` whose code comes with Millrace: those that it needs at run time, and those
that only its bundles contain. Packages for development are not listed. Optional packages are installed where they fit:
binaries for one system each, and dependencies of the media library for features that Millrace does not use.
[licences.md](licences.md) explains what the licences require.

${licencesOf(packages)}

| Package | Version | Licence | Optional |
|---|---|---|---|
${packages.map(rowOf).join('\n')}
`;
}

function licencesOf(packages: readonly ThirdPartyPackage[]): string {
  const groups = Map.groupBy(packages, ({ licence }) => licence);
  const rows = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return [
    '| Licence | Packages |',
    '|---|---|',
    ...rows.map(([licence, { length }]) => `| ${licence} | ${length} |`),
  ].join('\n');
}

function rowOf({ name, version, licence, optional }: ThirdPartyPackage): string {
  return `| ${name} | ${version} | ${licence} | ${optional ? 'yes' : ''} |`;
}
