import type { Result } from './envelope.ts';
import { extract, type JsonResponse } from './http-client.ts';

/** Returns the ID of a documented post of the lab. */
export const postId = (number: number): string => `${7_559_142_440_960_000_000n + BigInt(number)}`;

/** Returns the link of a documented post. */
export const postLink = (number: number, name = '_'): string =>
  `https://www.tiktok.com/@${name}/video/${postId(number)}`;

/**
 * Words for which the lab makes any page of the site fail, and the resulting error. Each failure may be retried.
 */
export const pageFaults = [
  ['lab-http429', 'non_2xx_response'],
  ['lab-http503', 'non_2xx_response'],
  ['lab-is-json', 'non_2xx_response'],
  ['lab-is-void', 'non_2xx_response'],
  ['lab-is-huge', 'invalid_response_data'],
  ['lab-is-loop', 'unexpected_redirect'],
  ['lab-is-away', 'unexpected_redirect'],
  ['lab-is-home', 'unexpected_redirect'],
  ['lab-is-slow', 'operation_timeout'],
] as const;

/** Words for which the lab makes the data of a page unreadable, and the resulting error. */
export const dataFaults = [
  ['lab-is-half', 'invalid_response_data'],
  ['lab-is-deep', 'invalid_response_data'],
] as const;

/** Requests an endpoint of p4 with a link. */
type FetchP4 = (url: string, key?: string) => Promise<JsonResponse<Result>>;

/** Returns functions that request the two endpoints of a service. */
export function openP4(serviceUrl: string): { readonly post: FetchP4; readonly user: FetchP4 } {
  const at =
    (path: string): FetchP4 =>
    (url, key) =>
      extract<Result>(`${serviceUrl}/p4/v3/${path}/details?${new URLSearchParams({ url })}`, key);
  return { post: at('post'), user: at('user') };
}
