import { type Handler, sendJson, sendText } from './exchange.ts';
import type { Journal, JournalQuery } from './journal.ts';

/** The lab's own pages besides the journal. */
interface LabPages {
  /** Returns the contents of the lab. */
  catalogue(): unknown;
  /** Lists and sets the drifts that are on. */
  readonly drift: Handler;
  /** Opens gates that hold back media. */
  readonly gate: Handler;
  /** Lists, turns on and turns off the behaviours of media links. */
  readonly media: Handler;
  /** Lists the uploads to the store. */
  readonly store: Handler;
}

/**
 * Handles the lab's own pages on its loopback address: `/_lab/requests` lists the recorded requests, `/_lab/catalogue`
 * the contents of the lab, and `/_lab/store` the uploads. `/_lab/drift` changes the sites of the lab, `/_lab/media`
 * their links, and `/_lab/gate` lets media through. `fallback` handles everything else.
 */
export function controlHandler(
  journal: Journal,
  { catalogue, drift, gate, media, store }: LabPages,
  fallback: Handler,
): Handler {
  return (exchange) => {
    const { pathname, searchParams } = exchange.url;
    switch (pathname) {
      case '/_lab/requests':
        return sendJson(exchange, 200, { requests: journal.find(queryOf(searchParams)) });
      case '/_lab/catalogue':
        return sendJson(exchange, 200, catalogue());
      case '/_lab/drift':
        return drift(exchange);
      case '/_lab/gate':
        return gate(exchange);
      case '/_lab/media':
        return media(exchange);
      case '/_lab/store':
        return store(exchange);
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
