import type { Storage } from '../storage/storage.ts';
import type { StorageCall } from './call-metrics.ts';
import type { Metrics } from './metrics.ts';
import { timeCall } from './time-call.ts';

/** Wraps a storage so that its calls are timed, and its failures and bytes counted. */
export function instrumentStorage(storage: Storage, metrics: Metrics): Storage {
  const timeStorageCall = <T>(call: StorageCall, work: () => Promise<T>, signal?: AbortSignal) =>
    timeCall(work, (milliseconds, error) => {
      // A cancelled call has not failed.
      metrics.storageCall(call, milliseconds, error !== undefined && signal?.aborted !== true);
    });
  return {
    ...storage,
    async put(key, path, call) {
      const result = await timeStorageCall('put', () => storage.put(key, path, call), call.signal);
      metrics.bytesStored(call.size);
      return result;
    },
    delete: (key) => timeStorageCall('delete', () => storage.delete(key)),
    async *keys() {
      const pages = storage.keys()[Symbol.asyncIterator]();
      for (let page = await next(); page.done !== true; page = await next()) yield page.value;

      function next() {
        return timeStorageCall('list', () => pages.next());
      }
    },
    read: (key, part, signal) => timeStorageCall('read', () => storage.read(key, part, signal), signal),
    sweep: () => timeStorageCall('sweep', () => storage.sweep()),
    check: () => timeStorageCall('check', () => storage.check()),
  };
}
