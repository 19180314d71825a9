import type { Shell } from './shell.ts';

/** The members of a request that decide where its response comes from. */
type RequestHead = Pick<Request, 'method' | 'mode' | 'url'>;

/**
 * Returns which part of the page a request is for. All other requests, such as those of the API, of the relay and for
 * files, are none of the worker's business: undefined.
 *
 * @param scope Address of the page, which ends with a slash.
 */
export function requestedPart(
  { method, mode, url }: RequestHead,
  scope: string,
  shell: Shell,
): 'asset' | 'document' | undefined {
  if (method !== 'GET') return undefined;
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  if (mode === 'navigate') return address === scope ? 'document' : undefined;
  return shell.files.some((path) => address === assetAddress(scope, shell, path)) ? 'asset' : undefined;
}

/** Returns the address of an asset. */
export function assetAddress(scope: string, { folder }: Shell, path: string): string {
  return `${scope}${folder}/${path}`;
}
