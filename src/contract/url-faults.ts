import type { FieldFault } from './errors.ts';
import { parseUrl } from './parse-url.ts';

/** Returns a fault if a link that the service would fetch is not an http or https URL. */
export function urlFaults(path: string, text: string): FieldFault[] {
  const url = parseUrl(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return [{ path, message: 'must be an http or https URL' }];
  }
  return [];
}

/** Returns a fault if a URL contains a user name or a password. An invalid URL has none. */
export function credentialFaults(path: string, text: string): FieldFault[] {
  const url = parseUrl(text);
  if (url === null || (url.username === '' && url.password === '')) return [];
  return [{ path, message: 'must not contain a user name or password' }];
}
