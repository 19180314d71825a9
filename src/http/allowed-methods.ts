import type { FastifyInstance } from 'fastify';

/**
 * Records the methods of the routes that are added from now on, for the `Allow` header of status 405 (RFC 9110
 * §15.5.6).
 *
 * @param globalMethods Methods that are allowed at any path.
 * @returns A function that returns the methods of a path; empty if no route has the path.
 */
export function trackAllowedMethods(
  app: FastifyInstance,
  globalMethods: readonly string[],
): (path: string) => readonly string[] {
  const routes: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const parts = path.split('/');
    const methods = routes.filter((route) => matchesRoute(route.parts, parts)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, ...globalMethods])];
  };
}

/** Whether a route, which can contain non-empty `:names` and end with `*`, serves a path. Both are split at slashes. */
export function matchesRoute(route: readonly string[], path: readonly string[]): boolean {
  const isWildcard = route.at(-1) === '*';
  if (isWildcard ? path.length < route.length : path.length !== route.length) return false;
  return route.every((part, index) =>
    part.startsWith(':') ? path[index] !== '' : part === '*' || part === path[index],
  );
}
