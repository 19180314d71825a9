import type { Storage } from '../storage/storage.ts';
import type { StorageCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timed } from './timed.ts';

/** The same storage; its calls, failures and bytes are counted. */
export function countStorage(storage: Storage, metrics: Metrics): Storage {
  const counted = <T>(call: StorageCall, work: () => Promise<T>, signal?: AbortSignal) =>
    timed(work, (milliseconds, error) => {
      // What was called off has not failed.
      metrics.storageCall(call, milliseconds, error !== undefined && signal?.aborted !== true);
    });
  return {
    ...storage,
    async put(key, path, call) {
      const result = await counted('put', () => storage.put(key, path, call), call.signal);
      metrics.stored(call.size);
      return result;
    },
    delete: (key) => counted('delete', () => storage.delete(key)),
    async *keys() {
      const pages = storage.keys()[Symbol.asyncIterator]();
      for (let page = await next(); page.done !== true; page = await next()) yield page.value;

      function next() {
        return counted('list', () => pages.next());
      }
    },
    read: (key, part, signal) => counted('read', () => storage.read(key, part, signal), signal),
    sweep: () => counted('sweep', () => storage.sweep()),
    check: () => counted('check', () => storage.check()),
  };
}
