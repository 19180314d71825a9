/**
 * Returns the path of a data endpoint.
 *
 * @param path The path below the platform's, such as `/video/details`.
 */
export function endpointPath(platform: string, path: string): string {
  return `/${platform}/v3${path}`;
}
