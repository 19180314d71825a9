/** One request and its outcome. */
export interface JournalEntry {
  /** Sequence number in order of arrival, from 1. */
  readonly number: number;
  /** Query parameter `token`. */
  readonly token: string | null;
  readonly method: string;
  readonly host: string;
  /** Upper-case code of the country that the client appeared to be in. */
  readonly country: string;
  /** Path and query, unchanged. */
  readonly path: string;
  /** Range header. */
  readonly range: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request as text, truncated to {@link bodyLimit} characters. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Status of the response; 0 until it is sent. */
  status: number;
  /** Body bytes written to the connection. */
  bytesSent: number;
  /** Whether the response was sent completely. */
  complete: boolean;
}

/** Filter for entries: all given members must match. */
export interface JournalQuery {
  readonly token?: string;
  readonly host?: string;
  /** Prefix of the path. */
  readonly path?: string;
}

/** Journal of the latest requests of all hosts. */
export interface Journal {
  add(entry: Omit<JournalEntry, 'number' | 'status' | 'bytesSent' | 'complete'>): JournalEntry;
  /** Returns the matching entries, oldest first. */
  find(query: JournalQuery): readonly JournalEntry[];
}

/** Maximum number of stored characters of a request's body. */
export const bodyLimit = 16_384;
const headerLimit = 2048;

/** Creates an empty journal that removes its oldest entries beyond `capacity`. */
export function createJournal(capacity = 5000): Journal {
  const entries = new Map<number, JournalEntry>();
  let count = 0;
  return {
    add(request) {
      count++;
      const entry: JournalEntry = {
        ...request,
        number: count,
        headers: truncateHeaders(request.headers),
        body: request.body.slice(0, bodyLimit),
        status: 0,
        bytesSent: 0,
        complete: false,
      };
      // Requests to the lab's own pages are not recorded.
      if (!request.path.startsWith('/_lab/')) entries.set(count, entry);
      entries.delete(count - capacity);
      return entry;
    },
    find({ token, host, path }) {
      return [...entries.values()].filter(
        (entry) =>
          (token === undefined || entry.token === token) &&
          (host === undefined || entry.host === host) &&
          (path === undefined || entry.path.startsWith(path)),
      );
    },
  };
}

function truncateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.slice(0, headerLimit)]));
}
