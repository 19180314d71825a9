/** Bytes in V8 without pointer compression, as Node 26 is built. */
const POINTER = 8;
const STRING_HEADER = 24;
const ARRAY_HEADER = 40;
const HEAP_NUMBER = 16;
const OBJECT_HEADER = 24;
/** Members that an object has slots for from the start. */
const INITIAL_SLOTS = 4;
/** An object with more members than this is a hash table, with more bytes for each. */
const MAX_FAST_MEMBERS = 100;
const TABLE_ENTRY = 48;

/** No result is nested deeper. */
const MAX_DEPTH = 200;

/** Estimates the heap bytes of JSON data, rather too high than too low. */
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

/** The bytes of an object itself, without its members' values. */
function objectSize(members: number): number {
  if (members > MAX_FAST_MEMBERS) return OBJECT_HEADER + members * TABLE_ENTRY;
  return OBJECT_HEADER + Math.max(0, INITIAL_SLOTS - members) * POINTER;
}
