import { resolve } from 'node:path';

/** The second start of a program reuses the code that the first one compiled. */
const compileCache = resolve('node_modules', '.cache', 'node');

/** Returns the environment of a program under test: parts of this one's, and its settings. */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_COMPILE_CACHE: compileCache, ...settings };
}
