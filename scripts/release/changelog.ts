const UNRELEASED = '## [Unreleased]\n';

/**
 * Returns the changes of a version as the changelog lists them, without the heading.
 *
 * @throws Error if the changelog has no section with this version, or an empty one.
 */
export function changesOf(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (start === -1) throw new Error(`CHANGELOG.md has no section "## [${version}]". Run set-version.ts first.`);
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## ['));
  const text = lines
    .slice(start + 1, next === -1 ? undefined : next)
    .join('\n')
    .trim();
  if (text === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty. List the changes.`);
  return `${text}\n`;
}

/**
 * Gives the unreleased changes a heading with version and date.
 *
 * @param date As `2026-11-26`.
 * @throws Error if the changelog has no section of unreleased changes, or already has the version.
 */
export function releaseChanges(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md already has a section of ${version}.`);
  if (!changelog.includes(UNRELEASED)) throw new Error('CHANGELOG.md has no section "## [Unreleased]".');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}
