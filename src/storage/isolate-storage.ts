import { type Bulkhead, type BulkheadLimits, createBulkhead } from './bulkhead.ts';
import type { Storage } from './storage.ts';

/**
 * Half of libuv's four threads, which all file operations and DNS lookups of the process share. A call to a network
 * mount whose server is down can hold its thread forever.
 */
const defaultLimits: BulkheadLimits = { maxCalls: 2, timeout: 10_000 };

/**
 * Wraps a storage in a folder that can be missing or hang, such as a network mount. It is opened at its first use, and
 * again at the next use if that fails. At most two calls run concurrently, and a call that takes longer than 10 s is
 * abandoned. While both hang, further calls fail immediately. Storing files is not limited, because a file is stored
 * only after the store has responded.
 *
 * @param open Opens the storage. Reads of its streams also use the bulkhead.
 */
export function isolateStorage(
  open: (run: Bulkhead) => Promise<Storage>,
  name: string,
  limits = defaultLimits,
): Storage {
  const run = createBulkhead(`the store ${name}`, limits);
  let storage: Storage | undefined;
  let opening: Promise<Storage> | undefined;

  async function openOnce(): Promise<Storage> {
    if (storage !== undefined) return storage;
    opening ??= open(run).finally(() => {
      opening = undefined;
    });
    storage = await opening;
    return storage;
  }
  const call = <T>(work: (storage: Storage) => Promise<T>) => run(async () => await work(await openOnce()));

  return {
    prepare: (path) => storage?.prepare(path),
    put: async (...file) => await (await run(openOnce)).put(...file),
    delete: (key) => call((folder) => folder.delete(key)),
    async *keys() {
      const pages = (await run(openOnce)).keys()[Symbol.asyncIterator]();
      for (let page = await run(() => pages.next()); page.done !== true; page = await run(() => pages.next())) {
        yield page.value;
      }
    },
    read: (key, part, signal) =>
      run(
        async () => await (await openOnce()).read(key, part, signal),
        (late) => late.destroy(),
      ),
    storedAt: (key) => call((folder) => folder.storedAt(key)),
    readMark: () => call((folder) => folder.readMark()),
    writeMark: (text, options) => call((folder) => folder.writeMark(text, options)),
    sweep: async () => await (await run(openOnce)).sweep(),
    freeBytes: () => call(async (folder) => (await folder.freeBytes?.()) ?? Number.POSITIVE_INFINITY),
    check: () => call((folder) => folder.check()),
    close: async () => await storage?.close(),
  };
}
