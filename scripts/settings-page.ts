import { settings } from '../src/config.ts';
import type { Setting } from '../src/settings/setting.ts';

/** Returns the page that lists every setting, made from the settings themselves. */
export function settingsPage(): string {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, { default: value, unit, description }]) => {
    const cells = [`\`${name}\``, unit === undefined ? value : `${value} ${unit}`, description];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `<!-- Made by "npm run docs" from the settings.ts of each folder of src/. -->

# Settings

Read once at the start, from the environment or from a \`.env\` file in the working directory; the environment wins.
An empty value counts as none. A value that cannot be used stops the start, with a line for each. A secret may lie in a
file instead: \`SIGNING_SECRETS_FILE=/run/secrets/signing\` in the environment has it read from there, and so for every
setting.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
