import { afterAll, vi } from 'vitest';

/*
 * Runs before each file of unit tests. The files of one process share its globals, so what a file stubs and leaves would
 * meet the tests of a later file: one without `fetch` fails there, and only in some orders.
 */
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
