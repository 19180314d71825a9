import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Makes dist/, which is what a package holds: JavaScript and its types from src/, and the migrations beside them. */
const root = fileURLToPath(new URL('..', import.meta.url));

await rm(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
await cp(`${root}src/database/migrations`, `${root}dist/database/migrations`, { recursive: true });
