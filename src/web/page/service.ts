import { type Client, createClient } from '#client/index.ts';

/**
 * The service that the page came from. The page has no key: the service knows its questions by a header of theirs, and
 * by what the browser says of where they come from.
 */
export const client: Client = createClient({
  url: '.',
  // Who asks too often, or a service that is away, is told of at once: people decide when to try again.
  retries: 0,
  fetch(input, init) {
    const { origin } = new URL(input instanceof Request ? input.url : input, location.href);
    if (origin !== location.origin) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set('X-Millrace-Page', '1');
    return fetch(input, { ...init, headers });
  },
});
