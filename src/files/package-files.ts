/*
 * This file lies two folders below the package's root, in src/files/ or, built, in one of the chunks in dist/bin/. So the
 * addresses below lead to the same places wherever its code ends up.
 */

/** Returns the URL of a file of the package, by its path from the package's root. */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** Returns the URL of a file beside the code, by its path in `src`. Builds copy it to the same path in `dist`. */
export function codeFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
