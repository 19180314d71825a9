/** A generator of numbers from 0 to 1. */
export type Random = () => number;

/** Habits of a server, each of which HTTP allows or real servers have. */
export interface Character {
  /** Responses to a request for a range. */
  readonly ranges:
    | 'exact'
    /** At most `limit` bytes, or always fewer than requested (RFC 9110, section 15.3.7). */
    | 'shorter'
    /** More bytes before and after the range. */
    | 'longer'
    /** The whole file with 200 (RFC 9110, section 14.2). */
    | 'ignored'
    /** Any of these, by request. */
    | 'mixed'
    /** A range that does not contain the first requested byte. */
    | 'elsewhere'
    /** A 206 with `multipart/byteranges`. */
    | 'multipart'
    /** A 206 without `Content-Range`. */
    | 'unplaced'
    /** At most `limit` bytes of the range, with status 200 and `Content-Range`. */
    | 'labelled'
    /** 416 unless the range begins at 0. */
    | 'unsatisfiable';
  readonly limit: number;
  /** `Content-Range` of a 416: with the total, without it, or absent (RFC 9110, section 15.5.17). */
  readonly unsatisfied: 'total' | 'other' | 'absent';
  /** The total in `Content-Range`: `changes` contradicts earlier responses. */
  readonly total: 'known' | 'unknown' | 'sometimes' | 'changes';
  /** `dated`: the same weak tag for all bytes, with a date. `backend`: another tag for the same bytes, by connection. */
  readonly validator: 'strong' | 'weak' | 'date' | 'dated' | 'none' | 'backend' | 'sometimes';
  /** Content coding of whole responses. `range`: ranges are those of coded bytes. */
  readonly coding: 'none' | 'identity' | 'gzip' | 'deflate' | 'br';
  /** `coded`: chunks of a gzip transfer coding, which no client has asked for (RFC 9112, section 7.4). */
  readonly framing: 'length' | 'chunks' | 'close' | 'coded';
  /** `behind`: closes the connection, with more bytes after the response. */
  readonly connection: 'keep' | 'close' | 'behind' | 'old';
  readonly interim: boolean;
  readonly redirects: 'none' | 'all' | 'ranges';
  /** Number of event loop turns before the head and between pieces of the response. */
  readonly pauses: number;
  /** Number of event loop turns before the first response of a connection. */
  readonly start: number;
  /**
   * When the server responds to a request with a body: after the body, or before it. If before, what happens to the
   * connection then.
   */
  readonly uploads: 'after' | 'keep' | 'end' | 'reset';
  /** Status of a response to a request with a body. */
  readonly uploadStatus: number;
  /** Whether every second connection leads to the other version of the file. */
  readonly hasOldBackend: boolean;
  /** Number of the request from which on the file is another one. */
  readonly changesAt: number;
  /** Faults of the first requests, in order. */
  readonly faults: readonly Fault[];
  /** Whether `Content-Length` may contradict `Content-Range`. */
  readonly contradicts: boolean;
}

/** What goes wrong with a request: the response is cut at a fraction of a part of it, or replaced by an error. */
export type Fault =
  | { readonly kind: 'end' | 'reset'; readonly part: 'head' | 'body'; readonly at: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'none' };

/** A server without freedoms. */
export const plainCharacter: Character = {
  ranges: 'exact',
  limit: 0,
  unsatisfied: 'total',
  total: 'known',
  validator: 'strong',
  coding: 'none',
  framing: 'length',
  connection: 'keep',
  interim: false,
  redirects: 'none',
  pauses: 0,
  start: 0,
  uploads: 'after',
  uploadStatus: 200,
  hasOldBackend: false,
  changesAt: Number.POSITIVE_INFINITY,
  faults: [],
  contradicts: false,
};

/** Returns the habits of a server. About half of all servers have at most two unusual ones. */
export function drawCharacter(random: Random): Character {
  const oddity = random() ** 2;
  const usually = <T>(usual: T, ...others: readonly T[]): T => (random() > oddity ? usual : pick(random, others));
  return {
    ranges: usually<Character['ranges']>(
      pick(random, ['exact', 'exact', 'shorter']),
      ...(['shorter', 'longer', 'ignored', 'mixed', 'labelled'] as const),
      ...(['elsewhere', 'multipart', 'unplaced', 'unsatisfiable'] as const),
    ),
    unsatisfied: usually('total', 'other', 'absent'),
    limit: 200 + Math.floor(random() ** 3 * 40_000),
    total: usually('known', 'unknown', 'sometimes', 'changes'),
    validator: usually('strong', 'weak', 'date', 'dated', 'none', 'backend', 'sometimes'),
    coding: usually<Character['coding']>('none', 'identity', 'gzip', 'deflate', 'br'),
    framing: usually('length', 'chunks', 'close', 'coded'),
    connection: usually('keep', 'close', 'behind', 'old'),
    interim: usually(false, true),
    redirects: usually('none', 'all', 'ranges'),
    pauses: usually(0, 1, 3),
    start: usually(0, 5, 40),
    uploads: usually('after', 'keep', 'end', 'reset'),
    uploadStatus: usually(pick(random, [200, 201, 204]), 400, 403, 410, 413, 429, 500, 503),
    hasOldBackend: usually(false, true),
    changesAt: usually(Number.POSITIVE_INFINITY, 1 + Math.floor(random() * 8)),
    faults: Array.from({ length: Math.floor(random() * 5) }, () => drawFault(random)),
    contradicts: random() < oddity / 10,
  };
}

function drawFault(random: Random): Fault {
  const kind = pick(random, ['end', 'end', 'reset', 'reset', 'status', 'none', 'none'] as const);
  if (kind === 'none') return { kind };
  if (kind === 'status') return { kind, status: pick(random, [500, 503, 429, 408, 502, 200, 204, 206, 403]) };
  return { kind, part: pick(random, ['head', 'body'] as const), at: random() };
}

/** Returns one of the values. */
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('there is nothing to pick');
  return value;
}
