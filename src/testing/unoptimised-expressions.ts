import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll } from 'vitest';

/**
 * Lets the tests of a file compile regular expressions as V8 does in a process that has compiled many. They then use the
 * stack for each repetition, and exhaust it with some millions.
 */
export function useUnoptimisedExpressions(): void {
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));
}
