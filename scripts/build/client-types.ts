import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { inlineDerivedTypes } from './derived-types.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
const entry = 'packages/client/src/index.d.ts';

/**
 * Writes the types of the client library to one file, `index.d.ts`, which imports nothing. It contains the contract's
 * types without the schemas that they are derived from.
 *
 * @throws Error if the sources have a type error.
 */
export async function writeClientTypes(folder: string): Promise<void> {
  // Inside the project, so that the compiler finds the typebox that the declarations import.
  const declarationsFolder = await mkdtemp(join(root, 'dist.client-types-'));
  try {
    await promisify(execFile)(process.execPath, [
      compiler,
      ...['--project', join(root, 'tsconfig.client.json'), '--outDir', declarationsFolder, '--emitDeclarationOnly'],
    ]);
    const config = { extends: '../tsconfig.client.json', compilerOptions: { noEmit: true }, files: [entry] };
    await writeFile(join(declarationsFolder, 'tsconfig.json'), JSON.stringify(config));
    await inlineDerivedTypes(join(declarationsFolder, 'tsconfig.json'), join(declarationsFolder, 'src/'));
    await bundle(declarationsFolder, folder);
  } finally {
    await rm(declarationsFolder, { recursive: true, force: true });
  }
}

async function bundle(declarationsFolder: string, folder: string): Promise<void> {
  const bundleBuild = await rolldown({
    cwd: declarationsFolder,
    input: { index: entry },
    logLevel: 'warn',
    // The input consists of declarations, so no compiler runs. A generator is named because the plugin would otherwise
    // choose one by the installed packages.
    plugins: [dts({ dtsInput: true, generator: 'oxc' })],
  });
  await bundleBuild.write({ dir: folder, format: 'esm' });
  await bundleBuild.close();
}
