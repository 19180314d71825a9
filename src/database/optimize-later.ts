import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 optimize a WebAssembly function only after it has executed a gigabyte of code; by default 13 MB are enough. The
 * engine's functions pass that while it opens, and optimizing them takes half a second of processor time and 25 MB at
 * each start (measured 2026-11-23, Node 26). Those that are busy for long are still optimized.
 */
export function optimizeWasmLater(): void {
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}
