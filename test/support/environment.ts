import { resolve } from 'node:path';

/** The second start of a program reads what the first one compiled. */
const compileCache = resolve('node_modules', '.cache', 'node');

/** What a program under test sees of this one's environment, and what is set for it. */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_COMPILE_CACHE: compileCache, ...settings };
}
