import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles a program for browsers into one classic script. The service worker must be one, because not all browsers
 * support workers that are modules.
 */
export async function bundleScript(entry: URL): Promise<string> {
  const bundle = await rolldown({ input: fileURLToPath(entry), platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}
