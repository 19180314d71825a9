import type { FastifyInstance } from 'fastify';

/**
 * Remembers which methods the routes have that are added from now on, for `Allow` of the answer to another one
 * (RFC 9110 §15.5.6).
 *
 * @param everywhere Methods that there are at any path.
 * @returns The methods that a path is there for; none where there is nothing at it.
 */
export function watchMethods(app: FastifyInstance, everywhere: readonly string[]): (path: string) => readonly string[] {
  const known: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (path) => {
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, ...everywhere])];
  };
}

/** A route's path with `:names` and a `*` at its end. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]*' : part.replaceAll(/[^\w-]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
