import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Makes dist/, which is what a package holds: JavaScript and its types from src/, and beside them the migrations,
 * the database template, and what of the page is no code.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

await rm(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
for (const part of ['database/migrations', 'database/template', 'web/page/style', 'web/page/icon.svg']) {
  await cp(`${root}src/${part}`, `${root}dist/${part}`, { recursive: true });
}
