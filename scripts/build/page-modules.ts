import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module in the form that browsers receive. */
interface PageModule {
  /** Path below the folder of assets. */
  readonly path: string;
  readonly code: string;
  /** Whether the page loads it on demand. */
  readonly lazy: boolean;
}

/** The modules of the page. */
interface PageModules {
  readonly modules: readonly PageModule[];
  /** Paths of the modules that are imported by name: those of packages, and those of the project (`#client/…`). */
  readonly pathsByName: ReadonlyMap<string, string>;
}

/** The folder of the repository: the paths of modules are relative to it. */
const source = new URL('../../', import.meta.url);

/**
 * Matches possible imports: from `import` or `export` at the beginning of a line up to the first quoted text. It is an
 * import if the quotes follow `from` or `import`.
 */
const imports = /^((?:import|export)\b[^'"`;]*)(?:['"]([^'"]+)['"])?/gm;
const minifiedImports = /\b((?:import|export)\b[^'"`;()]*)(?:['"]([^'"]+)['"])?/g;
const lazyImports = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the page's first module and all modules that it imports: sources without their types, packages unchanged. */
export async function readModules(entry: URL): Promise<PageModules> {
  const modules = new Map<string, PageModule>();
  const pathsByName = new Map<string, string>();

  async function visit(url: URL, name: string | undefined, lazy: boolean): Promise<void> {
    const ours = name === undefined || isOwnName(name);
    const path = ours ? url.href.slice(source.href.length) : `npm/${name}.js`;
    if (name !== undefined) pathsByName.set(name, path);
    const existing = modules.get(url.href);
    if (existing !== undefined && (lazy || !existing.lazy)) return;
    const code = existing?.code ?? (await readModule(url));
    modules.set(url.href, { path, code, lazy });
    for (const one of importsIn(code, ours ? imports : minifiedImports)) await follow(one, url, lazy);
    for (const [, one = ''] of code.matchAll(lazyImports)) await follow(one, url, true);
  }

  function follow(specifier: string, from: URL, lazy: boolean): Promise<void> {
    if (specifier.startsWith('.')) return visit(new URL(specifier, from), undefined, lazy);
    return visit(new URL(import.meta.resolve(specifier)), specifier, lazy);
  }

  await visit(entry, undefined, false);
  return { modules: [...modules.values()], pathsByName };
}

/** Returns whether a name is one of the project's own, defined by `imports` in its package.json. */
export function isOwnName(name: string): boolean {
  return name.startsWith('#');
}

async function readModule(url: URL): Promise<string> {
  const code = await readFile(fileURLToPath(url), 'utf8');
  return stripDocblocks(extname(url.pathname) === '.ts' ? stripTypeScriptTypes(code) : code);
}

function importsIn(code: string, shape: RegExp): string[] {
  return [...code.matchAll(shape)].flatMap(([, before = '', specifier]) =>
    specifier !== undefined && /(?:\bfrom|^import)$/m.test(before.trimEnd()) ? specifier : [],
  );
}

/** Removes docblocks, source map links and the whitespace of removed types, which only serve readers of the sources. */
function stripDocblocks(code: string): string {
  let inDocblock = false;
  const lines = code.split('\n').flatMap((whole) => {
    const line = whole.trimEnd();
    const isInDocblock = inDocblock || line.trimStart().startsWith('/**');
    inDocblock = isInDocblock && !line.endsWith('*/');
    return isInDocblock || line === '' || line.startsWith('//# sourceMappingURL=') ? [] : line;
  });
  return lines.join('\n');
}
