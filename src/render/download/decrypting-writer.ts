import { createDecipheriv, type Decipheriv } from 'node:crypto';
import { MillraceError } from '../../contract/errors.ts';
import type { ByteWriter } from './file-writer.ts';

/** A key and an initialization vector, 16 bytes each. */
export interface Aes128 {
  readonly key: Buffer;
  readonly iv: Uint8Array;
}

/** A writer that counts the bytes it passes on. */
export interface TransformingWriter extends ByteWriter {
  /** Number of bytes passed on. */
  readonly size: number;
}

/**
 * Decrypts AES-128-CBC with PKCS#7 padding (RFC 8216 §4.3.2.4) before passing the bytes to a writer. `name` identifies
 * the resource in messages; `first` is the position at which it starts.
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
        if (position !== first) throw new Error('encrypted data must arrive in order');
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
          `${name} could not be decrypted: the key does not match, or the data is damaged. Request new source links and start the job again.`,
          { cause: error },
        );
      }
      await forward(last);
      await writer.finish();
    },
  };
}
