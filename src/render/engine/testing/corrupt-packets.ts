import { readFileSync, writeFileSync } from 'node:fs';
import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { checkResult } from '../media/check-result.ts';

/**
 * Overwrites packets of a file with random data: `node corrupt-packets.ts <from> <to> <video|audio> <first> <last>`,
 * where first and last are seconds.
 */
const [from = '', to = '', kind = '', first = '', last = ''] = process.argv.slice(2);
const bytes = readFileSync(from);
const context = new FormatContext();
checkResult(await context.openInput(from), 'a file could not be opened');
const packet = new Packet();
packet.alloc();
while (context.readFrameSync(packet) >= 0) {
  const stream = context.streams[packet.streamIndex];
  const isVideo = stream?.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  const seconds = (Number(packet.pts) * (stream?.timeBase.num ?? 0)) / (stream?.timeBase.den ?? 1);
  if (isVideo === (kind === 'video') && seconds >= Number(first) && seconds < Number(last)) {
    const at = Number(packet.pos);
    for (let place = at; place < at + packet.size; place += 1) bytes[place] = (place * 7919 + (place >> 3) * 31) & 0xff;
  }
  packet.unref();
}
writeFileSync(to, bytes);
// A clean exit would run the media library's destructors, which have been seen to crash.
process.kill(process.pid, 'SIGKILL');
