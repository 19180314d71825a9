import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the page's service worker into one classic script, because not all browsers support workers that are modules.
 */
export async function bundleWorker(entry: URL): Promise<string> {
  const bundle = await rolldown({ input: fileURLToPath(entry), platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}
