import { type Handler, sendJson, sendText } from './exchange.ts';
import type { Journal, JournalQuery } from './journal.ts';

/**
 * Handles the lab's own pages on its loopback address: `/_lab/requests` lists the recorded requests, `/_lab/catalogue`
 * the contents of the lab. `fallback` handles everything else.
 */
export function controlHandler(journal: Journal, catalogue: () => unknown, fallback: Handler): Handler {
  return (exchange) => {
    const { pathname, searchParams } = exchange.url;
    switch (pathname) {
      case '/_lab/requests':
        return sendJson(exchange, 200, { requests: journal.find(queryOf(searchParams)) });
      case '/_lab/catalogue':
        return sendJson(exchange, 200, catalogue());
      case '/':
        return sendText(exchange, 200, 'This is the lab. See /_lab/catalogue and /_lab/requests?token=…\n');
      default:
        return fallback(exchange);
    }
  };
}

function queryOf(parameters: URLSearchParams): JournalQuery {
  return Object.fromEntries(
    ['token', 'host', 'path'].flatMap((name) => {
      const value = parameters.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
