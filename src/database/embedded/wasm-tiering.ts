import { setFlagsFromString } from 'node:v8';

/**
 * Delays V8's optimization of a WebAssembly function until it has executed a gigabyte of code; the default is 13 MB.
 * The engine's functions reach the default while it opens, and optimizing them takes half a second of processor time
 * and 25 MB at each start (measured 2026-11-23, Node 26). Functions that stay busy are still optimized.
 */
export function delayWasmOptimization(): void {
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}
