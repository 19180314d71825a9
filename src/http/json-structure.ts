import type { Steps } from '../waiting/steps.ts';

/**
 * Maximum number of different member names in a body. A batch has a few hundred. The engine keeps a shared copy of each
 * name, and a layout of each combination of names. It parses 1 MB of objects with 10,000 names in 60 ms, and with 2,000
 * names in 30 ms (Node 26.10).
 */
const MAX_NAMES = 2_000;
/**
 * Maximum number of objects and lists in a body. A batch of the maximum size that consists of the shortest chapters has
 * fewer. Looking for names such as `__proto__` in them takes time.
 */
const MAX_CONTAINERS = 50_000;

/** Size of a body in bytes up to which it cannot exceed these limits: a member takes five bytes or more. */
export const uncheckedBytes = 5 * MAX_NAMES - 1;

/** Bytes, and objects and lists, that are looked at in one step: a millisecond. */
const BYTES_PER_STEP = 32 * 1024;
const CONTAINERS_PER_STEP = 1_000;

const QUOTE = 0x22;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/** Returns what makes JSON slow to parse; undefined if nothing does. The bytes need not be valid JSON. */
export function* structureFault(json: Buffer): Steps<string | undefined> {
  const names = new Set<string>();
  let containers = 0;
  /** Where the latest string begins and ends; the end is -1 once the string has been counted as a name. */
  let from = 0;
  let end = -1;
  let stepEnd = BYTES_PER_STEP;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      from = at + 1;
      end = endOfString(json, from);
      at = end;
    } else if (byte === COLON && end !== -1) {
      names.add(json.toString('latin1', from, end));
      end = -1;
      if (names.size > MAX_NAMES) return `must not have more than ${MAX_NAMES} different member names`;
    } else if (byte === LIST || byte === OBJECT) {
      containers += 1;
      if (containers > MAX_CONTAINERS) return `must not have more than ${MAX_CONTAINERS} objects and lists`;
    }
    if (at >= stepEnd) {
      stepEnd = at + BYTES_PER_STEP;
      yield undefined;
    }
  }
  return undefined;
}

/** Returns the position of the quotation mark that ends a string, or the end of the JSON. */
function endOfString(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, json.length);
}

/**
 * Returns whether parsed JSON has a member that changes the prototype of what it is copied to: `__proto__`, or
 * `constructor` with a `prototype`. The same members are forbidden by `secure-json-parse` (4.1), which looks for them
 * without a pause, for up to 80 ms.
 */
export function* hasPrototypeMember(value: unknown): Steps<boolean> {
  const left: object[] = isContainer(value) ? [value] : [];
  for (let count = 1; ; count += 1) {
    const container = left.pop();
    if (container === undefined) return false;
    if (changesPrototype(container)) return true;
    for (const child of Array.isArray(container) ? container : Object.values(container))
      if (isContainer(child)) left.push(child);
    if (count % CONTAINERS_PER_STEP === 0) yield undefined;
  }
}

function changesPrototype(container: object): boolean {
  if (Object.hasOwn(container, '__proto__')) return true;
  if (!Object.hasOwn(container, 'constructor')) return false;
  const { constructor: maker } = container as { readonly constructor: unknown };
  return isContainer(maker) && Object.hasOwn(maker, 'prototype');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
