import { type Aes128, createDecryptingWriter } from './decrypting-writer.ts';
import { type ByteWriter, shiftWriter } from './file-writer.ts';
import type { Source } from './source-request.ts';
import { createTextCheckingWriter } from './text-checking-writer.ts';
import { createUndisguisingWriter } from './undisguising-writer.ts';

/** Parameters of a segment's writer. */
interface SegmentWriterOptions {
  readonly source: Source;
  /** Position of the segment's first byte in its resource. */
  readonly first: number;
  /** How the segment is encrypted. */
  readonly cipher: Aes128 | undefined;
  /** Called with the number of bytes that a disguise has, before the first byte is written. */
  readonly onStart: (prefixBytes: number) => void;
}

/** A writer of a segment's bytes as they arrive. */
interface SegmentWriter extends ByteWriter {
  /** Number of bytes written. */
  readonly bytesWritten: number;
}

/**
 * Creates the writer that turns the bytes of a segment into those of its media, whose positions start at 0: checked,
 * decrypted and without a disguise.
 */
export function createSegmentWriter(
  destination: ByteWriter,
  { source, first, cipher, onStart }: SegmentWriterOptions,
): SegmentWriter {
  const checkText = (writer: ByteWriter, at: number) => createTextCheckingWriter(writer, source, at);
  // A web page in place of an encrypted segment is text before it is decrypted.
  const undisguising = createUndisguisingWriter(cipher ? destination : checkText(destination, 0), onStart);
  const writer = cipher
    ? checkText(createDecryptingWriter(undisguising, cipher, first, source.name), first)
    : shiftWriter(undisguising, -first);
  return {
    ...writer,
    get bytesWritten() {
      return undisguising.size;
    },
  };
}
