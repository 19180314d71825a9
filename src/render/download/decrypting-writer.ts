import { createDecipheriv, type Decipheriv } from 'node:crypto';
import { MillraceError } from '../../contract/errors.ts';
import type { ByteWriter } from './file-writer.ts';

/** A key and an initialization vector, 16 bytes each. */
export interface Aes128 {
  readonly key: Buffer;
  readonly iv: Uint8Array;
}

/** A writer that counts what comes out of it. */
export interface TransformingWriter extends ByteWriter {
  /** Bytes that were passed on. */
  readonly size: number;
}

/**
 * Puts AES-128-CBC with PKCS#7 padding (RFC 8216 §4.3.2.4) in front of a writer. `name` is what is decrypted, for
 * messages; `first` is the position at which it begins.
 */
export function createDecryptingWriter(
  writer: ByteWriter,
  { key, iv }: Aes128,
  first: number,
  name: string,
): TransformingWriter {
  let decipher: Decipheriv = createDecipheriv('aes-128-cbc', key, iv);
  let next = first;
  let size = 0;

  const forward = (output: Buffer) => {
    const at = size;
    size += output.length;
    return output.length === 0 ? undefined : writer.write(at, output);
  };
  return {
    get size() {
      return size;
    },
    write(position, chunk) {
      if (position !== next) {
        if (position !== first) throw new Error('an encrypted part must arrive in order');
        decipher = createDecipheriv('aes-128-cbc', key, iv);
        size = 0;
      }
      next = position + chunk.length;
      return forward(decipher.update(chunk));
    },
    flush: () => writer.flush(),
    async finish() {
      let last: Buffer;
      try {
        last = decipher.final();
      } catch (error) {
        throw new MillraceError(
          'source_unsupported',
          `${name} cannot be decrypted: its key does not fit, or it is damaged. Obtain fresh source links.`,
          { cause: error },
        );
      }
      await forward(last);
      await writer.finish();
    },
  };
}
