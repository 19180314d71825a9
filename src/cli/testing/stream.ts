import { Writable } from 'node:stream';

/** Creates a stream without colours that records what is written. */
export function recordingStream(as: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  // All that is used of a stream of the process.
  return {
    stream: Object.assign(stream, { getColorDepth: () => 1 }, as) as unknown as NodeJS.WriteStream,
    written: () => written,
  };
}
