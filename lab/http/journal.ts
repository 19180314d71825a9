/** What one request was, and what became of it. */
export interface JournalEntry {
  /** Counts from 1 in the order of arrival. */
  readonly number: number;
  /** The `token` of its query. */
  readonly token: string | null;
  readonly method: string;
  readonly host: string;
  /** Upper-case code of the country that the client seemed to be in. */
  readonly country: string;
  /** Path and query as they came. */
  readonly path: string;
  /** The Range header. */
  readonly range: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The request's body as text, at most {@link bodyLimit} characters of it. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Status of the answer; 0 while there is none. */
  status: number;
  /** Body bytes handed to the connection. */
  bytesSent: number;
  /** Whether the answer was sent to its end. */
  complete: boolean;
}

/** Which entries are wanted: all that are given must match. */
export interface JournalQuery {
  readonly token?: string;
  readonly host?: string;
  /** Start of the path. */
  readonly path?: string;
}

/** Remembers the latest requests of all hosts. */
export interface Journal {
  add(entry: Omit<JournalEntry, 'number' | 'status' | 'bytesSent' | 'complete'>): JournalEntry;
  /** Matching entries, oldest first. */
  find(query: JournalQuery): readonly JournalEntry[];
}

/** Characters of a request's body that are remembered. */
export const bodyLimit = 16_384;
const headerLimit = 2048;

/** Starts an empty journal that forgets its oldest entries beyond `capacity`. */
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
      // Questions about the journal are no part of it.
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
