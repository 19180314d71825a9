import type { FastifyInstance } from 'fastify';

/**
 * Remembers which methods the routes have that are added from now on, for `Allow` of the answer to another one
 * (RFC 9110 §15.5.6).
 *
 * @param everywhere Methods that there are at any path.
 * @returns The methods that a path is there for; none where there is nothing at it.
 */
export function watchMethods(app: FastifyInstance, everywhere: readonly string[]): (path: string) => readonly string[] {
  const known: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const given = path.split('/');
    const methods = known.filter(({ parts }) => isRouteOf(parts, given)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, ...everywhere])];
  };
}

/** Whether a route, with `:names`, none of them empty, and a `*` at its end, serves a path. Both are split at slashes. */
export function isRouteOf(route: readonly string[], path: readonly string[]): boolean {
  const open = route.at(-1) === '*';
  if (open ? path.length < route.length : path.length !== route.length) return false;
  return route.every((part, index) =>
    part.startsWith(':') ? path[index] !== '' : part === '*' || part === path[index],
  );
}
