import { Writable } from 'node:stream';

/** Creates a stream without colours that records what is written. */
export function recordingStream(as: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
  let output = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      output += String(chunk);
      callback();
    },
  });
  // All that is used of a stream of the process.
  return {
    stream: Object.assign(stream, { getColorDepth: () => 1 }, as) as unknown as NodeJS.WriteStream,
    output: () => output,
  };
}
