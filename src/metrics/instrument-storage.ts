import type { Storage } from '../storage/storage.ts';
import type { StorageCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timed } from './timed.ts';

/** Wraps a storage so that its calls are timed, and its failures and bytes counted. */
export function instrumentStorage(storage: Storage, metrics: Metrics): Storage {
  const timeCall = <T>(call: StorageCall, work: () => Promise<T>, signal?: AbortSignal) =>
    timed(work, (milliseconds, error) => {
      // A cancelled call has not failed.
      metrics.storageCall(call, milliseconds, error !== undefined && signal?.aborted !== true);
    });
  return {
    ...storage,
    async put(key, path, call) {
      const result = await timeCall('put', () => storage.put(key, path, call), call.signal);
      metrics.bytesStored(call.size);
      return result;
    },
    delete: (key) => timeCall('delete', () => storage.delete(key)),
    async *keys() {
      const pages = storage.keys()[Symbol.asyncIterator]();
      for (let page = await next(); page.done !== true; page = await next()) yield page.value;

      function next() {
        return timeCall('list', () => pages.next());
      }
    },
    read: (key, part, signal) => timeCall('read', () => storage.read(key, part, signal), signal),
    sweep: () => timeCall('sweep', () => storage.sweep()),
    check: () => timeCall('check', () => storage.check()),
  };
}
