import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** An import of one project file by another. Both paths are relative to the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** The name that `imports` of package.json gives to the client library's folder. */
const client = { name: '#client/', folder: 'packages/client/src' } as const;

/** Reads the imports and re-exports of project files by others, including type-only and dynamic ones. */
export function readImports(files: readonly string[], root: string): Import[] {
  return files.flatMap((file) =>
    specifiersOf(file, readFileSync(file, 'utf8')).flatMap((specifier) => {
      const target = targetOf(specifier, dirname(file), root);
      return target === undefined ? [] : { from: relative(root, file), to: relative(root, target) };
    }),
  );
}

/** Returns the file that a specifier names; undefined for packages and Node's own modules. */
function targetOf(specifier: string, folder: string, root: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(folder, specifier);
  if (specifier.startsWith(client.name)) return resolve(root, client.folder, specifier.slice(client.name.length));
  return undefined;
}

/** Returns the specifiers that a module imports or re-exports, in source order. */
export function specifiersOf(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const staticImports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    return /^(['"]).*\1$/.test(text) ? text.slice(1, -1) : [];
  });
  return [...staticImports, ...reexports, ...dynamic];
}
