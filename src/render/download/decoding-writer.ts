import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MillraceError } from '../../contract/errors.ts';
import type { TransformingWriter } from './decrypting-writer.ts';
import type { ByteWriter } from './file-writer.ts';

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** A writer that decodes. It holds the decoder's memory until it finishes. */
export interface DecodingWriter extends TransformingWriter {
  /** Releases the memory early. */
  destroy(): void;
}

/** A supported content coding. */
export type ContentCoding = keyof typeof decoders;

/** Whether a content coding is supported. */
export function isSupportedCoding(coding: string): coding is ContentCoding {
  return Object.hasOwn(decoders, coding);
}

/** Whether a decoder needs much memory: the window of Brotli has up to 16 MiB (RFC 7932 §9.1), that of the others 32 KiB. */
export function needsSlot(coding: ContentCoding): boolean {
  return coding === 'br';
}

/**
 * Decodes a content coding before passing the bytes to a writer. A few bytes can decode to very many: `onDecoded` is
 * called with the number of decoded bytes so far, and an error that it throws ends the download.
 *
 * @param acquireSlot Waits for a slot of a decoder that {@link needsSlot}; returns the function that leaves it.
 */
export function createDecodingWriter(
  writer: ByteWriter,
  coding: ContentCoding,
  name: string,
  onDecoded: (bytes: number) => void,
  acquireSlot?: () => Promise<() => void>,
): DecodingWriter {
  const decoder = decoders[coding]();
  let size = 0;
  let failure: unknown;
  let opening: Promise<void> | undefined;
  const fail = (error: unknown) => {
    failure ??= error;
    decoder.destroy();
  };
  /** Its window is allocated with the first bytes. */
  async function open(): Promise<void> {
    const leave = await acquireSlot?.();
    if (leave === undefined) return;
    if (decoder.destroyed) leave();
    else decoder.once('close', leave);
  }
  decoder.on('error', (cause) => fail(codingError(name, coding, cause)));
  decoder.on('data', (output: Buffer) => {
    try {
      const at = size;
      size += output.length;
      onDecoded(size);
      const writing = writer.write(at, output);
      if (writing === undefined) return;
      decoder.pause();
      writing.then(() => decoder.resume(), fail);
    } catch (error) {
      fail(error);
    }
  });
  return {
    get size() {
      return size;
    },
    async write(_position, chunk) {
      // The bytes are copied, because the decoder reads them later, in another thread.
      const copy = Buffer.from(chunk);
      opening ??= open();
      await opening;
      if (failure !== undefined) throw failure;
      // The download has ended in the meantime.
      if (decoder.destroyed) return;
      await new Promise<void>((resolve) => {
        decoder.once('close', resolve);
        decoder.write(copy, () => {
          decoder.off('close', resolve);
          resolve();
        });
      });
      if (failure !== undefined) throw failure;
    },
    flush: () => writer.flush(),
    destroy: () => decoder.destroy(),
    async finish() {
      // A decoder that has failed may be closed already.
      if (!decoder.closed) {
        await new Promise<void>((resolve) => {
          decoder.once('close', resolve);
          decoder.end();
        });
      }
      if (failure !== undefined) throw failure;
      await writer.finish();
    },
  };
}

/** Returns the error for data that is cut, or that does not have the coding of its label. */
function codingError(name: string, coding: ContentCoding, cause: NodeJS.ErrnoException): MillraceError {
  // All decoders of zlib have this code for an early end.
  const isCut = cause.code === 'Z_BUF_ERROR';
  const message = isCut
    ? `${name} ended before its ${coding} data was complete. Start the same job again.`
    : `${name} was sent with ${coding} coding, but its ${coding} data is invalid (${cause.message}). Start the same job again, or use another source.`;
  return new MillraceError('download_incomplete', message, { cause });
}
