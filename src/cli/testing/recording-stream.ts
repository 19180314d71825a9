import { Writable } from 'node:stream';

/** Creates a stream without colours that records what is written. */
export function recordingStream(
  as: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number } = {},
) {
  let output = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      output += String(chunk);
      callback();
    },
  });
  // The stream has only those members of a process stream that the tested code uses.
  return {
    stream: Object.assign(stream, { getColorDepth: () => 1 }, as) as unknown as NodeJS.WriteStream,
    output: () => output,
  };
}
