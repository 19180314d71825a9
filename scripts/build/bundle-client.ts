import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Bundles the client library into one minified module, `index.js`, which imports nothing. */
export async function writeClient(folder: string): Promise<void> {
  const input = { index: 'packages/client/src/index.ts' };
  const bundleBuild = await rolldown({ cwd: root, platform: 'neutral', logLevel: 'warn', input });
  await bundleBuild.write({ dir: folder, format: 'esm', minify: true });
  await bundleBuild.close();
}
