import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Makes each flush of a file take 50 ms longer in the Node process that imports this module, as on a slow or busy disk.
 */

const DELAY_MS = 50;
/** A test may replace the timers later. */
const startTimer = setTimeout;
const { fsync, fdatasync, fsyncSync, fdatasyncSync } = fs;
const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DELAY_MS);
const pause = () => new Promise((resolve) => startTimer(resolve, DELAY_MS));

fs.fsyncSync = (descriptor) => {
  block();
  fsyncSync(descriptor);
};
fs.fdatasyncSync = (descriptor) => {
  block();
  fdatasyncSync(descriptor);
};
fs.fsync = Object.assign((descriptor: number, callback: fs.NoParamCallback) => {
  startTimer(() => fsync(descriptor, callback), DELAY_MS);
}, fsync);
fs.fdatasync = Object.assign((descriptor: number, callback: fs.NoParamCallback) => {
  startTimer(() => fdatasync(descriptor, callback), DELAY_MS);
}, fdatasync);
syncBuiltinESMExports();

// The class of file handles is not exported.
const handle = await open(fileURLToPath(import.meta.url));
const prototype: { sync(): Promise<void>; datasync(): Promise<void> } = Object.getPrototypeOf(handle);
await handle.close();
const { sync, datasync } = prototype;
prototype.sync = async function slowSync() {
  await pause();
  await sync.call(this);
};
prototype.datasync = async function slowDatasync() {
  await pause();
  await datasync.call(this);
};
