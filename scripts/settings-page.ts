import { settings } from '../src/config.ts';

/** The page that lists every setting, made from the settings themselves. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${('meaning' in setting ? setting.meaning : setting.description).replaceAll('|', '\\|')} |`,
  );
  return `<!-- Made by "npm run docs" from src/config.ts. -->

# Settings

Read once at the start, from the environment or from a \`.env\` file in the working directory; the environment wins.
An empty value counts as none. A value that cannot be used stops the start, with a line for each. A secret may lie in a
file instead: \`SIGNING_SECRETS_FILE=/run/secrets/signing\` in the environment has it read from there, and so for every
setting.

| Setting | Meaning |
|---|---|
${rows.join('\n')}
`;
}
