import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

/** A script of the page in the form that browsers receive. */
interface PageScript {
  /** Path below the folder of assets. */
  readonly path: string;
  readonly code: string;
}

/** The scripts of the page. */
interface PageBundle {
  readonly scripts: readonly PageScript[];
  /** Path of the script that the document loads. */
  readonly entry: string;
  /** Paths of the scripts that the first one needs at once: not those that are loaded on demand. */
  readonly preloads: readonly string[];
  /** Names of the packages whose code the scripts contain. */
  readonly packages: readonly string[];
}

/**
 * Bundles the page into one script, and one for each part that is loaded on demand. Compressed, they take half the bytes
 * of separate modules, and a browser needs one request for the first view.
 */
export async function bundlePage(entry: URL): Promise<PageBundle> {
  const bundle = await rolldown({ input: fileURLToPath(entry), platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: 'page.js',
    chunkFileNames: 'parts/[name]-[hash].js',
    // Without this, each module of the first view that other parts also use would be a separate script.
    codeSplitting: { groups: [{ name: 'first-view', test: /\/src\/web\/page\/app\.ts$/ }] },
  });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  const [main] = chunks.filter(({ isEntry }) => isEntry);
  if (main === undefined) throw new Error('the bundle of the page has no entry');
  return {
    scripts: chunks.map(({ fileName, code }) => ({ path: fileName, code })),
    entry: main.fileName,
    preloads: [...importsOf(main.fileName, chunks)],
    packages: [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(packageOf)))],
  };
}

/** Returns a script and all scripts that it imports, and that these import. */
function importsOf(path: string, chunks: readonly OutputChunk[], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const name of chunks.find(({ fileName }) => fileName === path)?.imports ?? []) importsOf(name, chunks, found);
  return found;
}

function packageOf(moduleId: string): string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? [];
  return name === undefined ? [] : [name];
}
