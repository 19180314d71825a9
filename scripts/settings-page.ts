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

The service reads its settings once at startup, from the environment or from a \`.env\` file in the working directory. The
environment takes precedence. An empty value counts as absent. Invalid values prevent the service from starting; it
reports each of them on a separate line. The log names the \`.env\` file and the settings that come from it, but no value.

Commands such as \`millrace keys\` do not read that file by themselves, because others may have written the folder in which a
command runs. They read the environment, and the file that \`--settings\` names.

Any setting can be read from a file, which is useful for secrets: append \`_FILE\` to its name and set it to the path of
the file, as in \`SIGNING_SECRETS_FILE=/run/secrets/signing\`. Such variables must be in the environment.

[Platform settings](platform-settings.md) describes the members of the settings of p1 to p6.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
