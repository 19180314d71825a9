import { resolve } from 'node:path';

/** The second start of a program reuses the code that the first one compiled. */
const compileCache = resolve('node_modules', '.cache', 'node');

/**
 * Returns the environment of a program under test: parts of this one's, and its settings. `NODE_OPTIONS` makes its disk
 * slow in `npm run test:busy`.
 */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '', NODE_OPTIONS } = process.env;
  const options = NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
  return { PATH, HOME, ...options, NODE_COMPILE_CACHE: compileCache, ...settings };
}
