import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import type { LostFileError } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { ResultFiles } from '../jobs/result-files.ts';
import type { StoredFileMetrics } from './metrics-port.ts';

const CHECK_TIMEOUT_MS = 5_000;

/** Dependencies of reporting a lost file. */
export interface LostFileServices {
  readonly files: Pick<ResultFiles, 'failLostFiles'>;
  readonly storage: Storage;
  readonly metrics: Pick<StoredFileMetrics, 'filesLost'>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Marks the job of a lost file as failed; see {@link ResultFiles.failLostFiles}. A file counts as missing only if a
 * second look-up does not find it either, while the store itself is available and the right one.
 *
 * @throws MillraceError `service_unavailable` if the store is not available. Nothing has changed then.
 */
export async function reportLostFile(key: string, error: LostFileError, services: LostFileServices): Promise<void> {
  const { files, storage, metrics, log } = services;
  if (error.fault === 'missing') await confirmMissing(key, error, storage);
  const count = await files.failLostFiles([key]);
  if (count === 0) return;
  metrics.filesLost(count);
  log.error({ err: error, key }, 'a stored file is lost; its job has failed and can be started again');
}

/**
 * Confirms that a file is missing. The store may have been unavailable when the file was not found and may be available
 * again now, or the reverse.
 */
async function confirmMissing(key: string, missing: LostFileError, storage: Storage): Promise<void> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  try {
    await untilAborted(storage.check(), signal);
    const storedAt = await untilAborted(storage.storedAt(key), signal);
    if (storedAt !== undefined) throw new Error(`the file ${key} is in the store again`);
    await untilAborted(storage.check(), signal);
  } catch (error) {
    const message = 'The file store is not available. Try again in a moment.';
    throw new MillraceError('service_unavailable', message, { cause: new AggregateError([missing, error]) });
  }
}
