import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type InputOptions, rolldown } from 'rolldown';
import { writeClient } from './bundle-client.ts';
import { keepCurrent } from './keep-current.ts';
import { writePage } from './write-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What builds are made from. */
const sources = ['src/**', 'packages/*/src/**', 'scripts/build/**', 'package-lock.json'];

/** Programs that share chunks: the service and the command line. */
const programs = { service: 'src/main.ts', millrace: 'src/cli/main.ts' };

/** Programs that run confined, in a folder of their own: they see nothing of the service's code. */
const engine = {
  child: 'src/render/engine/media/child-main.ts',
  launch: 'src/render/engine/self-restriction/launch-main.ts',
};

/** Loaded from `node_modules`: native code, WebAssembly, and what only some installations load. */
const external = [/^node:/, /^node-av/, /^@electric-sql\/pglite/, /^@aws-sdk\//, 'pg-native', 'pino-pretty'];

/** Read by the code where they lie. */
const files = ['database/migrations', 'database/template'];

/**
 * Makes `dist`, which is what runs: in a checkout, in tests, in packages and images. Does nothing if it is newer than all
 * that it is made from. Takes less than a second.
 */
export async function build(): Promise<void> {
  await keepCurrent({ folder: `${root}dist`, sources, root, make: writeDist });
}

async function writeDist(folder: string): Promise<void> {
  await bundle({ input: programs }, `${folder}/bin`);
  for (const [name, input] of Object.entries(engine)) await bundle({ input: { [name]: input } }, `${folder}/engine`);
  await writeClient(`${folder}/client`);
  for (const path of files) await cp(`${root}src/${path}`, `${folder}/${path}`, { recursive: true });
  await writePage(`${folder}/page`);
}

/** Bundles with all packages that are JavaScript alone: loading a thousand files takes half of a start. */
async function bundle(options: InputOptions, dir: string): Promise<void> {
  const bundleBuild = await rolldown({ cwd: root, platform: 'node', external, logLevel: 'warn', ...options });
  await bundleBuild.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await bundleBuild.close();
}
