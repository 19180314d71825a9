import { MillraceNetworkError } from '#client/errors.ts';
import type { LocatedFile } from './locate-file.ts';

/**
 * Compares a downloaded file with the checksum that the service states, if it states one.
 *
 * @param sha256 SHA-256 of the downloaded bytes, in hexadecimal.
 * @throws MillraceNetworkError with the fault `changed`.
 */
export function checkContent({ url, sha256: stated }: LocatedFile, sha256: string): void {
  if (typeof stated !== 'string' || stated === sha256) return;
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  throw new MillraceNetworkError(
    'changed',
    `${address} sent a file with another SHA-256 than the service states. Run the same command again.`,
    { method: 'GET', url: address },
  );
}
