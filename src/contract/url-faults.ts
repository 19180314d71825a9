import type { FieldFault } from './errors.ts';

/** What is wrong with a link that the service is to ask: nothing, or that it is none of the web. */
export function urlFaults(path: string, text: string): FieldFault[] {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return [{ path, message: 'must be an http or https URL' }];
  }
  return [];
}
