import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** An import of one of our files by another; both paths are relative to the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Reads the relative imports and re-exports of files, type-only and dynamic ones included. */
export function readImports(files: readonly string[], root: string): Import[] {
  return files.flatMap((file) => {
    const specifiers = specifiersOf(file, readFileSync(file, 'utf8'));
    const from = relative(root, file);
    return specifiers
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from, to: relative(root, resolve(dirname(file), specifier)) }));
  });
}

/** Returns what a module imports or re-exports, in its order. */
export function specifiersOf(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    return /^(['"]).*\1$/.test(text) ? text.slice(1, -1) : [];
  });
  return [...imported, ...exported, ...dynamic];
}
