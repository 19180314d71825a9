import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles the named programs of this folder in the same way as a build, because children cannot see the sources. */
export async function bundlePrograms(names: readonly string[], folder: string): Promise<void> {
  const input = names.map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/], logLevel: 'warn' });
  await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
}
