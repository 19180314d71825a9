import type { FastifyBaseLogger } from 'fastify';
import type { Storage } from '../../storage/storage.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';

/** Time limit for the store while the caller waits. */
const TIMEOUT_MS = 5_000;

/**
 * Deletes the file of a deleted job immediately. The file is also listed for deletion, so the sweeper deletes it if this
 * call fails.
 */
export async function deleteStoredFile(
  storage: Pick<Storage, 'delete'>,
  key: string,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await withTimeout(storage.delete(key), TIMEOUT_MS);
  } catch (error) {
    log.warn({ err: error, key }, 'the file of a deleted job could not be deleted yet; the sweeper will retry');
  }
}
