import { readSync } from 'node:fs';
import { writeBytes } from '../../../files/write-size.ts';
import { writeAll } from './overwrite.ts';

/** Moves a range of an open file towards its end. Copies the last bytes first so that none are overwritten. */
export function shiftBytes(file: number, from: number, to: number, distance: number): void {
  const block = Buffer.allocUnsafe(writeBytes);
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - writeBytes);
    const bytes = block.subarray(0, end - start);
    for (let bytesFilled = 0; bytesFilled < bytes.length; ) {
      const bytesRead = readSync(file, bytes, bytesFilled, bytes.length - bytesFilled, start + bytesFilled);
      if (bytesRead === 0) throw new Error('the result was truncated while it was written');
      bytesFilled += bytesRead;
    }
    writeAll(file, start + distance, bytes);
    end = start;
  }
}
