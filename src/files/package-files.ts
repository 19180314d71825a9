import { validUrl } from '../contract/parse-url.ts';

/*
 * This file is two folders below the package's root, in src/files/ or, after a build, in one of the chunks in
 * dist/bin/. The relative URLs below are therefore valid in both.
 */

/** Returns the URL of a file of the package, by its path from the package's root. */
export function packageFile(path: string): URL {
  return validUrl(`../../${path}`, import.meta.url);
}

/** Returns the URL of a file next to the code, by its path in `src`. Builds copy it to the same path in `dist`. */
export function codeFile(path: string): URL {
  return validUrl(`../${path}`, import.meta.url);
}
