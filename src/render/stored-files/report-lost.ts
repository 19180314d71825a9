import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import type { Sql } from '../../database/database.ts';
import { inTime } from '../../in-time.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { LostFileError } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { loseFiles } from './lose-files.ts';

const CHECK_TIMEOUT_MS = 5_000;

/** What reporting a lost file needs. */
export interface LossServices {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly metrics: Pick<Metrics, 'filesLost'>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Ends the job of a lost file as failed; see {@link loseFiles}. A file counts as missing only while the store itself is
 * available and the right one.
 *
 * @throws MillraceError `service_unavailable` if the store is not available. Nothing has changed then.
 */
export async function reportLost(key: string, error: LostFileError, services: LossServices): Promise<void> {
  const { sql, storage, metrics, log } = services;
  if (error.fault === 'missing') await checkStore(storage, error);
  const count = await loseFiles(sql, [key]);
  if (count === 0) return;
  metrics.filesLost(count);
  log.error({ err: error, key }, 'a stored file is lost; its job has failed and can be started again');
}

async function checkStore(storage: Storage, missing: LostFileError): Promise<void> {
  try {
    await inTime(storage.check(), CHECK_TIMEOUT_MS);
  } catch (error) {
    const message = 'The file store is not available. Try again in a moment.';
    throw new MillraceError('service_unavailable', message, { cause: new AggregateError([missing, error]) });
  }
}
