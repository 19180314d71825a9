import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module as browsers get it. */
export interface PageModule {
  /** Below the folder of assets. */
  readonly path: string;
  readonly code: string;
  /** Whether it is not needed at first. */
  readonly lazy: boolean;
}

/** The modules of the page. */
export interface PageModules {
  readonly modules: readonly PageModule[];
  /** Paths of the packages among them, by the name that they are imported by. */
  readonly packages: ReadonlyMap<string, string>;
}

/** The folder of all code: the page's and the client library's lie below it. */
const source = new URL('../', import.meta.url);

/** Imports of a module whose types are gone: at the beginning of a line, or in braces of a call. */
const imports = /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm;
const minifiedImports = /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]/g;
const lazyImports = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the page's first module and all that it imports: sources without their types, packages as they are. */
export async function readModules(entry: URL): Promise<PageModules> {
  const modules = new Map<string, PageModule>();
  const packages = new Map<string, string>();

  async function visit(url: URL, name: string | undefined, lazy: boolean): Promise<void> {
    const known = modules.get(url.href);
    if (known !== undefined && (lazy || !known.lazy)) return;
    const path = name === undefined ? url.href.slice(source.href.length) : `packages/${name}.js`;
    const code = known?.code ?? (await readModule(url));
    modules.set(url.href, { path, code, lazy });
    if (name !== undefined) packages.set(name, path);
    const find = (shape: RegExp) => [...code.matchAll(shape)].map(([, first, second]) => first ?? second ?? '');
    for (const one of find(name === undefined ? imports : minifiedImports)) await follow(one, url, lazy);
    for (const one of find(lazyImports)) await follow(one, url, true);
  }

  function follow(specifier: string, from: URL, lazy: boolean): Promise<void> {
    if (specifier.startsWith('.')) return visit(new URL(specifier, from), undefined, lazy);
    return visit(new URL(import.meta.resolve(specifier)), specifier, lazy);
  }

  await visit(entry, undefined, false);
  return { modules: [...modules.values()], packages };
}

async function readModule(url: URL): Promise<string> {
  const code = await readFile(fileURLToPath(url), 'utf8');
  return withoutNotes(extname(url.pathname) === '.ts' ? stripTypeScriptTypes(code) : code);
}

/** Without docblocks, map links and the blanks that types have left: they are for those who read the sources. */
function withoutNotes(code: string): string {
  return code
    .replace(/^ *\/\*\*[\s\S]*?\*\/ *\n/gm, '')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}
