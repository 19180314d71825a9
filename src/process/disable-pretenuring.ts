import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 allocate every object in the young generation. By default, V8 pretenures an allocation site if most of its
 * objects survive collections. While the young generation is small, the objects of waiting requests survive. From then
 * on, one object of each request is allocated in the old generation, and keeps the rest of the request (4 kB) alive
 * until the next full collection. This happened in four of nine starts under load, and cached responses then took more
 * processor time (measured 2026-11-23, Node 26).
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
