import { setFlagsFromString } from 'node:v8';

/**
 * Bytes from the network lie outside the heap. V8 marks the whole heap anew after every 64 MiB of them, which took a
 * second of processor time for each gigabyte downloaded; reckoned with the heap, four times what lives may come together
 * first (measured 2026-11-21, Node 26).
 */
export function collectBuffersLessOften(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--external-memory-max-growing-factor=4');
}
