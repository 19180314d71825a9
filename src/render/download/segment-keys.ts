import { MillraceError } from '../../contract/errors.ts';
import { fetchBody } from '../../egress/fetch-body.ts';
import { initializationVector, isPlainKey, type PlaylistKey } from '../../hls/encryption-keys.ts';
import type { Aes128 } from './decrypting-writer.ts';
import { recover } from './recover.ts';
import { createRetryBudget } from './retry-budget.ts';
import { requestFor, type Source, statusError } from './source-request.ts';

const KEY_BYTES = 16;

/** The keys of one playlist, each fetched once. */
export interface KeyStore {
  /**
   * Returns the key and initialization vector of a segment; undefined if it is not encrypted.
   *
   * @throws MillraceError `source_unsupported` for a playlist that is protected by a DRM system, or an invalid key.
   */
  cipherFor(
    keys: readonly PlaylistKey[],
    sequence: number,
    sourceFor: (url: string, name: string) => Source,
  ): Promise<Aes128 | undefined>;
}

/** Creates an empty store. `playlistSource` is the playlist's own source. */
export function createKeyStore(playlistSource: Source): KeyStore {
  const keysByUrl = new Map<string, Promise<Buffer>>();
  return {
    async cipherFor(keys, sequence, sourceFor) {
      if (keys.length === 0) return undefined;
      const plain = keys.find(isPlainKey);
      if (plain === undefined) {
        const message = `${playlistSource.name} is protected by DRM, which is not supported. Use a source without DRM.`;
        throw new MillraceError('source_unsupported', message);
      }
      const key = keysByUrl.get(plain.url) ?? fetchKey(sourceFor(plain.url, 'The key'));
      keysByUrl.set(plain.url, key);
      return { key: await key, iv: initializationVector(plain, sequence) };
    },
  };
}

async function fetchKey(source: Source): Promise<Buffer> {
  const retryBudget = createRetryBudget(source);
  for (;;) {
    const link = await source.link.open(source.signal);
    try {
      const response = await fetchBody(source.egress, requestFor(source, link, { from: 0 }), KEY_BYTES * 64);
      if (response.status !== 200) throw statusError(source, response);
      retryBudget.recordProgress();
      if (response.body.length === KEY_BYTES) return response.body;
      const message = `${source.name} has ${response.body.length} bytes instead of ${KEY_BYTES}. Request new source links and start the job again.`;
      throw new MillraceError('source_unsupported', message);
    } catch (error) {
      await recover(source, link, error, retryBudget);
    }
  }
}
