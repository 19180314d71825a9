import { type Client, createClient } from '#client/index.ts';

/**
 * A client of the service that the page was loaded from. The page has no key: the service recognises its requests by a
 * header, and by the origin that the browser states.
 */
export const client: Client = createPageClient({});

/** The same client, except that the service requests fresh results from the platforms. */
export const freshClient: Client = createPageClient({ 'Cache-Control': 'no-cache' });

function createPageClient(extraHeaders: Readonly<Record<string, string>>): Client {
  return createClient({
    url: '.',
    // Errors are displayed immediately: people decide when to try again.
    retries: 0,
    fetch(input, init) {
      const { origin } = new URL(input instanceof Request ? input.url : input, location.href);
      if (origin !== location.origin) return fetch(input, init);
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries({ 'X-Millrace-Page': '1', ...extraHeaders })) headers.set(name, value);
      // The page's own headers stay at its origin, which redirects nothing that the page requests.
      return fetch(input, { ...init, headers, redirect: 'error' });
    },
  });
}
