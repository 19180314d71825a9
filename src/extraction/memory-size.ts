/** Bytes in V8 without compressed pointers, as Node 26 is built. */
const SLOT = 8;
const TEXT = 24;
const LIST = 40;
const FRACTION = 16;
const OBJECT = 24;
/** Members that an object has room for from the start. */
const ROOM = 4;
/** An object of more members is a table, with more for each. */
const MANY = 100;
const TABLE_ENTRY = 48;

/** No answer is deeper. */
const MAX_DEPTH = 200;

/** Bytes of memory that JSON data take; rather more than less. */
export function memorySize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return SLOT + TEXT + value.length * (/[^\0-\xff]/.test(value) ? 2 : 1);
  if (typeof value === 'number') return SLOT + (Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 0 : FRACTION);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return SLOT;
  const members: unknown[] = Object.values(value);
  const inside = members.reduce((bytes: number, member) => bytes + memorySize(member, depth + 1), 0);
  return SLOT + inside + (Array.isArray(value) ? LIST : shellOf(members.length));
}

function shellOf(members: number): number {
  if (members > MANY) return OBJECT + members * TABLE_ENTRY;
  return OBJECT + Math.max(0, ROOM - members) * SLOT;
}
