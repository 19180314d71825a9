import type { Endpoint, Platform } from '../../platforms/platform.ts';

/** Returns an endpoint of a platform. @throws Error if there is no such endpoint. */
export function endpointOf(platforms: readonly Platform[], platformId: string, path: string): Endpoint {
  const platform = platforms.find(({ id }) => id === platformId);
  const endpoint = platform?.endpoints.find((one) => one.path === `/${path}`);
  if (endpoint === undefined) throw new Error(`${platformId} has no endpoint ${path}`);
  return endpoint;
}
