import { type ThirdPartyPackage, thirdPartyPackages } from './third-party-packages.ts';

/** The page that lists every package that Millrace needs to run, made from the lock file. */
export async function thirdPartyPage(root: URL): Promise<string> {
  const packages = await thirdPartyPackages(root);
  return `<!-- Made by "npm run docs" from package-lock.json. -->

# Third-party packages

The ${packages.length} packages that Millrace needs to run, as \`package-lock.json\` has them; those for development
alone are left out. Optional ones are installed where they fit: binaries for one system each, and what the media
library brings for uses that Millrace has not. What the licences ask for: [licences.md](licences.md).

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
