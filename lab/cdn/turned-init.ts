/**
 * An MP4 header whose video players turn by 90° to the right: the matrix of each track with a picture is replaced
 * (ISO/IEC 14496-12 §8.3.2).
 */
export function turnedInit(init: Buffer): Buffer {
  const turned = Buffer.from(init);
  for (let at = turned.indexOf('tkhd'); at >= 0; at = turned.indexOf('tkhd', at + 4)) {
    const matrix = at + (turned[at + 4] === 1 ? 56 : 44);
    const width = turned.readUInt32BE(matrix + 36);
    const one = 1 << 16;
    if (width === 0) continue;
    for (const [place, number] of [0, one, 0, -one, 0].entries()) turned.writeInt32BE(number, matrix + 4 * place);
  }
  return turned;
}
