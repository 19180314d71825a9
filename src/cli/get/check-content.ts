import { MillraceNetworkError } from '#client/errors.ts';
import { addressOf } from './download-chunks.ts';
import type { LocatedFile } from './locate-file.ts';

/**
 * Compares a downloaded file with the checksum that the service states, if it states one.
 *
 * @param sha256 SHA-256 of the downloaded bytes, in hexadecimal.
 * @throws MillraceNetworkError with the fault `changed`.
 */
export function checkContent(file: LocatedFile, sha256: string): void {
  if (typeof file.sha256 !== 'string' || file.sha256 === sha256) return;
  const address = addressOf(file);
  throw new MillraceNetworkError(
    'changed',
    `${address} sent a file with another SHA-256 than the service states. Run the same command again.`,
    { method: 'GET', url: address },
  );
}
