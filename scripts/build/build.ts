import { cp, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeClient } from './bundle-client.ts';
import { external } from './external.ts';
import { keepBinary } from './keep-binary.ts';
import { keepCurrent } from './keep-current.ts';
import { replaceValidator } from './replace-validator.ts';
import { writePage } from './write-page.ts';
import { writeReference } from './write-reference.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files that the builds are made from. */
const sources = ['src/**', 'lab/**', 'packages/*/src/**', 'scripts/build/**', 'docs/guides/**', 'package-lock.json'];

/** Programs that share chunks: the service, the command line, and the thread that hashes files. */
const programs = {
  service: 'src/main.ts',
  millrace: 'src/cli/main.ts',
  'hash-thread': 'src/files/hashing/hash-thread.ts',
};

/** Programs that run isolated. They are built into a separate folder, because they cannot read the service's code. */
const engine = {
  child: 'src/render/engine/media/child-main.ts',
  launch: 'src/render/engine/self-restriction/launch-main.ts',
};

/** Programs of the lab, which share no code with the service. */
const lab = {
  main: 'lab/main.ts',
  maker: 'lab/media/make/main.ts',
};

/** Files that the code reads from their own folder. */
const files = ['database/migrations', 'database/template'];

/**
 * Builds `dist`, the code that runs in a checkout, in tests, in packages and in images. Does nothing if `dist` is newer
 * than all of its sources. Takes less than a second.
 */
export async function build(): Promise<void> {
  await keepCurrent({ folder: `${root}dist`, sources, root, make: writeDist });
}

async function writeDist(folder: string): Promise<void> {
  await bundle(programs, `${folder}/bin`);
  for (const [name, input] of Object.entries(engine)) await bundle({ [name]: input }, `${folder}/engine`);
  for (const [name, input] of Object.entries(lab)) await bundle({ [name]: input }, `${folder}/lab`);
  await writeClient(`${folder}/client`);
  for (const path of files) await cp(`${root}src/${path}`, `${folder}/${path}`, { recursive: true });
  await writePage(`${folder}/page`);
  await mkdir(`${folder}/reference`);
  await writeReference(`${folder}/reference`);
}

/**
 * Bundles the code with all packages that are pure JavaScript: loading a thousand files takes half of the startup time.
 */
async function bundle(input: Record<string, string>, dir: string): Promise<void> {
  // Parts that nobody uses can only be left out of packages that have modules besides their CommonJS.
  const resolve = { mainFields: ['module', 'main'] };
  const options = { cwd: root, platform: 'node', logLevel: 'warn', resolve } as const;
  const bundleBuild = await rolldown({ ...options, input, external, plugins: [keepBinary, replaceValidator] });
  await bundleBuild.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await bundleBuild.close();
}
