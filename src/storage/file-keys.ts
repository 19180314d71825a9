/** Matches keys, which are IDs of runs. Everything else in a store is foreign. */
const keyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a name is a key of this service. */
export function isKey(name: string): boolean {
  return keyPattern.test(name);
}

/** @throws Error for a foreign key, before it reaches a store. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Error('the name is not a file key of Millrace');
}
