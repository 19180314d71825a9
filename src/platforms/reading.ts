import { MillraceError } from '../contract/errors.ts';
import { type DashManifest, parseManifest } from '../dash/manifest.ts';
import { parseJson } from '../parsing/values.ts';

/**
 * Maximum number of characters that begin or separate values, in all JSON that is read from one response. The largest
 * list recorded has 91,000 (2026-11). Parsing as many short values takes 50 ms, during which no other request is served.
 */
const maxSeparators = 130_000;
/**
 * Maximum number of different shapes: what precedes a member and its name, in all JSON that is read from one response.
 * The engine describes each one, and 80,000 of them take as long to parse as millions of values.
 */
const maxShapes = 20_000;
/**
 * Maximum number of values that searches visit in one response. One search of the largest page recorded visits 100,000
 * (2026-11), and a page is searched for several things.
 */
const maxVisits = 2_000_000;
/**
 * Maximum numbers of characters and tags in all DASH manifests of one response. A manifest has up to 30,000 characters and
 * 100 elements, and a post up to 20 videos (2026-11). Reading as many tags takes 40 ms.
 */
const maxManifestLength = 1024 * 1024;
const maxManifestTags = 10_000;
/**
 * Maximum number of characters of addresses that are parsed for one response, counted each time. Of recorded responses, up
 * to 130,000 are parsed (2026-11). A carousel of 20 videos with 12 covers each, whose links have up to 1,000 characters,
 * needs about 1,200,000. Parsing as many as this takes 40 ms.
 */
const maxAddressLength = 4 * 1024 * 1024;

/** What was read from one response. */
interface Reading {
  /** Its server, for messages. */
  readonly host: string;
  readonly number: number;
  readonly values: Map<string, unknown>;
  separators: number;
  shapes: number;
  visits: number;
  manifestLength: number;
  manifestTags: number;
  addressLength: number;
}

let current: Reading | undefined;

/**
 * Begins the reading of a site's response, which lasts until the end of this turn of the event loop. What readers do with
 * it in this turn is bounded together, however its parts overlap, and the same text is parsed only once.
 */
export function beginReading(host: string): void {
  const reading = newReading(host);
  current = reading;
  setImmediate(() => {
    if (current === reading) current = undefined;
  });
}

let readings = 0;

function newReading(host: string): Reading {
  readings += 1;
  return {
    host,
    number: readings,
    values: new Map(),
    separators: 0,
    shapes: 0,
    visits: 0,
    manifestLength: 0,
    manifestTags: 0,
    addressLength: 0,
  };
}

/** How JSON begins. Other texts, such as pages, take no time to parse. */
const jsonStart = /^[ \t\r\n]*[[{"\dtfn-]/;

/**
 * Parses JSON of a site; returns undefined if it is invalid. The value is shared with other readers of the response.
 *
 * @throws MillraceError `invalid_response_data` if the response has more values than its site can have in mind.
 */
export function parseSiteJson(json: string): unknown {
  const reading = current ?? newReading('the site');
  if (reading.values.has(json)) return reading.values.get(json);
  if (jsonStart.test(json)) countStructure(json, reading);
  if (reading.separators > maxSeparators) throw tooMany('values', maxSeparators, reading);
  if (reading.shapes > maxShapes) throw tooMany('different names', maxShapes, reading);
  const value = parseJson(json);
  reading.values.set(json, value);
  return value;
}

/**
 * Counts a value that a search visits.
 *
 * @throws MillraceError `invalid_response_data` if the searches in the response have visited too many.
 */
export function countVisit(): void {
  if (current === undefined) return;
  current.visits += 1;
  if (current.visits > maxVisits) throw tooMany('values', maxVisits, current);
}

/**
 * Counts the characters of an address that is parsed.
 *
 * @throws MillraceError `invalid_response_data` if too many have been parsed for the response.
 */
export function countAddress(length: number): void {
  if (current === undefined) return;
  current.addressLength += length;
  if (current.addressLength > maxAddressLength) throw tooMany('characters in addresses', maxAddressLength, current);
}

/**
 * Parses a DASH manifest inside a response, as {@link parseManifest}.
 *
 * @throws MillraceError `invalid_response_data`, also if the response has more manifests than its site can have in mind.
 */
export function parseSiteManifest(xml: string): DashManifest {
  const reading = current ?? newReading('the site');
  reading.manifestLength += xml.length;
  if (reading.manifestLength > maxManifestLength) {
    throw tooMany('characters in manifests', maxManifestLength, reading);
  }
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) reading.manifestTags += 1;
  if (reading.manifestTags > maxManifestTags) throw tooMany('tags in manifests', maxManifestTags, reading);
  return parseManifest(xml);
}

function tooMany(what: string, max: number, { host }: Reading): MillraceError {
  const message = `The response from ${host} has too many ${what}: the maximum is ${max}. Try again.`;
  return new MillraceError('invalid_response_data', message);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Differs in each process, so that no site can know which shapes have the same hash. */
const seed = Math.trunc(Math.random() * 2 ** 32);
/** The number of the reading in which the shapes with a hash were last seen, by the hash's first bits. */
const lastSeen = new Uint32Array(1 << 18);
const shift = 32 - Math.log2(lastSeen.length);

/** Counts separators and shapes in JSON, up to their limits. Shapes whose hashes begin alike count once. */
function countStructure(json: string, reading: Reading): void {
  let { separators, shapes } = reading;
  /** Hash of the names in the innermost object so far, and those of the objects around it. */
  let shape = seed;
  const outer: number[] = [];
  let name = '';
  for (let at = 0; at < json.length && separators <= maxSeparators && shapes <= maxShapes; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(json, at + 1);
      name = json.slice(at + 1, end);
      at = end;
    } else if (code === COLON) {
      separators += 1;
      shape = hashOf(name, shape);
      const slot = shape >>> shift;
      if (lastSeen[slot] !== reading.number) shapes += 1;
      lastSeen[slot] = reading.number;
    } else if (code === COMMA || code === LIST) {
      separators += 1;
    } else if (code === OBJECT) {
      separators += 1;
      outer.push(shape);
      shape = seed;
    } else if (code === OBJECT_END) {
      shape = outer.pop() ?? seed;
    }
  }
  reading.separators = separators;
  reading.shapes = shapes;
}

/** Returns the position of the quotation mark that ends a string, or the end of the text. */
function stringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (first > from && json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}

/** Continues a hash (FNV-1a, whose last bits are mixed into the first ones). */
function hashOf(name: string, before: number): number {
  let hash = before;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}
