import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module as browsers get it. */
interface PageModule {
  /** Below the folder of assets. */
  readonly path: string;
  readonly code: string;
  /** Whether it is not needed at first. */
  readonly lazy: boolean;
}

/** The modules of the page. */
interface PageModules {
  readonly modules: readonly PageModule[];
  /** Paths of the modules that are imported by a name: of a package, or of the project (`#client/…`). */
  readonly pathsByName: ReadonlyMap<string, string>;
}

/** The folder of the repository: the paths of modules are relative to it. */
const source = new URL('../../', import.meta.url);

/**
 * What may import: from `import` or `export`, at the beginning of a line in sources, up to the first quoted text. It is
 * an import if the quotes follow `from` or `import`.
 */
const imports = /^((?:import|export)\b[^'"`;]*)(?:['"]([^'"]+)['"])?/gm;
const minifiedImports = /\b((?:import|export)\b[^'"`;()]*)(?:['"]([^'"]+)['"])?/g;
const lazyImports = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the page's first module and all that it imports: sources without their types, packages as they are. */
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

/** Whether a name is one of the project's own, from `imports` of its package.json. */
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

/** Without docblocks, map links and the blanks that types have left: they are for those who read the sources. */
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
