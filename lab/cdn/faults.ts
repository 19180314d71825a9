import { RequestError } from '../http/exchange.ts';

/** Faults of a CDN link, as read from its query. */
export type Faults = { readonly [name in keyof typeof faultTable]?: ReturnType<(typeof faultTable)[name]['parse']> };

/** Error for a fault with an invalid value. */
export class FaultError extends RequestError {
  override readonly name = 'FaultError';
}

/** Every fault: the name of its query parameter, the parser of its value, and its effect. Faults can be combined. */
export const faultTable = {
  latency: { parse: integer(0, 600_000), about: 'milliseconds before the headers' },
  gate: { parse: flag, about: '1: no headers before POST /_lab/gate?token=… with the token of the link' },
  hang: { parse: flag, about: '1: the headers are never sent' },
  status: { parse: integer(400, 599), about: 'returns this status' },
  times: { parse: integer(1, 1000), about: 'applies `status` only to the first n requests of a link' },
  retryAfter: { parse: integer(0, 1e6), about: 'seconds in the Retry-After header of a `status` response' },
  redirect: { parse: integer(1, 50), about: 'n redirects before the file (1 if only their target is given)' },
  redirectTo: { parse: absoluteUrl, about: 'target of the last redirect: any absolute URL' },
  redirectHost: { parse: hostName, about: 'host that the redirects lead to' },
  redirectLoop: { parse: flag, about: '1: redirects to the same link without end' },
  redirectStatus: { parse: integer(301, 308), about: 'status of the redirects, 302 by default' },
  deny: {
    parse: integer(400, 499),
    about: 'status of requests that `denyFrom` and `denyAfter` refuse, 403 by default',
  },
  denyFrom: { parse: integer(0, Number.MAX_SAFE_INTEGER), about: 'refuses range requests that reach this byte' },
  denyAfter: {
    parse: integer(0, 600_000),
    about: "refuses requests from this many milliseconds after the token's first request on",
  },
  noRanges: { parse: flag, about: '1: ignores ranges and returns the whole file with 200' },
  rangeLimit: {
    parse: integer(1, Number.MAX_SAFE_INTEGER),
    about: 'responds to a range with at most this number of its bytes',
  },
  rangeTotal: { parse: choice('unknown'), about: 'unknown: ranges do not state the size of the file' },
  tags: { parse: choice('each'), about: 'each: each response has another ETag, as from several backends' },
  noLength: { parse: flag, about: '1: no Content-Length' },
  length: { parse: integer(-1e12, 1e12), about: 'added to the true Content-Length' },
  cut: { parse: integer(0, Number.MAX_SAFE_INTEGER), about: 'breaks the connection before this byte of the file' },
  cutOnce: { parse: integer(0, Number.MAX_SAFE_INTEGER), about: 'the same, but only once for each link' },
  stall: { parse: integer(0, Number.MAX_SAFE_INTEGER), about: 'sends nothing more from this byte of the file' },
  throttle: { parse: integer(1, 1e12), about: 'bytes per second and connection' },
  slowAfter: {
    parse: integer(0, 1e12),
    about:
      "4 kB per second and connection after this number of bytes of all responses to the token's links, before POST " +
      '/_lab/gate?token=…',
  },
  trickle: { parse: integer(1, 600_000), about: 'milliseconds for each byte' },
  encoding: { parse: choice('gzip'), about: 'gzip: encodes the body as gzip, regardless of Accept-Encoding' },
  bomb: { parse: integer(1, 1e12), about: 'the body is gzip that inflates to this number of zeros' },
  html: { parse: flag, about: '1: a web page with status 200 instead of the file' },
  instead: {
    parse: choice('empty', 'json', 'text', 'page', 'tables', 'third', 'twice'),
    about:
      "another body with status 200 and the file's own type: nothing, an error as JSON, text or a page, the file's first " +
      'three packets of MPEG-TS, less than a third of it, or all of it twice',
  },
  etagChange: {
    parse: integer(1, 1000),
    about: 'from the nth request of a link, serves another file with another ETag',
  },
  wrongRange: { parse: flag, about: '1: returns other bytes than the requested range' },
  endless: {
    parse: choice('1', 'length'),
    about: '1: the body never ends and has no Content-Length; length: the same with a Content-Length of one pebibyte',
  },
} as const;

type FaultName = keyof typeof faultTable;

/**
 * Reads the faults of a link. It ignores other parameters, because real links have them too.
 *
 * @throws FaultError naming the parameter and the problem with its value.
 */
export function parseFaults(query: URLSearchParams): Faults {
  const faults: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (!isFault(name)) continue;
    try {
      faults[name] = faultTable[name].parse(text);
    } catch (error) {
      throw new FaultError(`The fault ${name}=${text} ${messageOf(error)}.`, { cause: error });
    }
  }
  return faults;
}

/** Returns whether a query parameter is a fault. */
export function isFault(name: string): name is FaultName {
  return Object.hasOwn(faultTable, name);
}

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most) {
      throw new RangeError(`must be a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

function flag(text: string): true {
  if (text !== '1') throw new RangeError('must be 1');
  return true;
}

function choice<const T extends string>(...values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new RangeError(`must be ${values.join(' or ')}`);
    return value;
  };
}

function absoluteUrl(text: string): string {
  if (!URL.canParse(text)) throw new RangeError('must be an absolute URL');
  return text;
}

function hostName(text: string): string {
  if (!/^[a-z0-9.-]{1,253}$/.test(text)) throw new RangeError('must be a host name');
  return text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
