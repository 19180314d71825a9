/**
 * Returns an MP4 initialization segment that makes players rotate the video by 90° to the right: it replaces the matrix
 * of each track with video (ISO/IEC 14496-12 §8.3.2).
 */
export function turnedInit(init: Buffer): Buffer {
  const rotated = Buffer.from(init);
  for (let at = rotated.indexOf('tkhd'); at >= 0; at = rotated.indexOf('tkhd', at + 4)) {
    const matrix = at + (rotated[at + 4] === 1 ? 56 : 44);
    const width = rotated.readUInt32BE(matrix + 36);
    const one = 1 << 16;
    if (width === 0) continue;
    for (const [place, number] of [0, one, 0, -one, 0].entries()) rotated.writeInt32BE(number, matrix + 4 * place);
  }
  return rotated;
}
