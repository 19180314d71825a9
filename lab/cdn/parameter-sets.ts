/** NAL unit headers of H.264: parameter sets, and filler that decoders ignore (ITU-T H.264 table 7-1). */
const parameterSets = [0x67, 0x68] as const;
const filler = 0x0c;

/**
 * Returns an MPEG-TS segment whose H.264 has no parameter sets, as in playlists made from MP4 with open groups of
 * pictures. They begin inside a packet: each has a few bytes, and they follow the header of a frame.
 */
export function withoutParameterSets(segment: Buffer): Buffer {
  const bare = Buffer.from(segment);
  for (const header of parameterSets) {
    const start = Buffer.from([0, 0, 1, header]);
    for (let at = bare.indexOf(start); at >= 0; at = bare.indexOf(start, at + start.length)) bare[at + 3] = filler;
  }
  return bare;
}
