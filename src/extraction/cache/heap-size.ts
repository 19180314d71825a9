/** Bytes of a pointer in V8 without pointer compression, as Node 26 is built. */
const POINTER = 8;
const STRING_HEADER = 24;
const ARRAY_HEADER = 40;
const HEAP_NUMBER = 16;
const OBJECT_HEADER = 24;
/** Number of member slots that an object has initially. */
const INITIAL_SLOTS = 4;
/** An object with more members than this is a hash table, which takes more bytes per member. */
const MAX_FAST_MEMBERS = 100;
const TABLE_ENTRY = 48;

/** Results are never nested deeper. */
const MAX_DEPTH = 200;

/** Estimates the heap bytes of JSON data; it errs on the high side. */
export function heapSize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return POINTER + STRING_HEADER + value.length * (/[^\0-\xff]/.test(value) ? 2 : 1);
  if (typeof value === 'number') {
    return POINTER + (Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 0 : HEAP_NUMBER);
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return POINTER;
  const members: unknown[] = Object.values(value);
  const content = members.reduce((bytes: number, member) => bytes + heapSize(member, depth + 1), 0);
  return POINTER + content + (Array.isArray(value) ? ARRAY_HEADER : objectSize(members.length));
}

/** Returns the bytes of an object without its members' values. */
function objectSize(members: number): number {
  if (members > MAX_FAST_MEMBERS) return OBJECT_HEADER + members * TABLE_ENTRY;
  return OBJECT_HEADER + Math.max(0, INITIAL_SLOTS - members) * POINTER;
}
