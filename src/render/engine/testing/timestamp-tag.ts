/**
 * Writes the ID3v2.4 tag with which a segment of packed audio begins (RFC 8216 §3.4).
 *
 * @param ticks - timestamp of its first sample, in ticks of 90 kHz.
 * @param before - frames that precede the timestamp in the tag; together shorter than 50 bytes.
 */
export function timestampTag(ticks: number, before: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.alloc(8 + owner.length);
  owner.copy(body);
  body.writeBigUInt64BE(BigInt(ticks), owner.length);
  const frames = Buffer.concat([before, Buffer.from([...Buffer.from('PRIV'), 0, 0, 0, body.length, 0, 0]), body]);
  return Buffer.concat([Buffer.from([...Buffer.from('ID3'), 4, 0, 0, 0, 0, 0, frames.length]), frames]);
}

const owner = Buffer.from('com.apple.streaming.transportStreamTimestamp\0', 'latin1');
