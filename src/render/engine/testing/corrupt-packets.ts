import { readFileSync, writeFileSync } from 'node:fs';
import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { checkResult } from '../media/check-result.ts';

/** Copies a file and overwrites its packets of one kind between two times, in seconds, with random data. */
export async function corruptPackets(
  from: string,
  to: string,
  kind: 'video' | 'audio',
  first: number,
  last: number,
  filling: 'noise' | 'zeros' = 'noise',
): Promise<void> {
  const bytes = readFileSync(from);
  const context = new FormatContext();
  checkResult(await context.openInput(from), 'a file could not be opened');
  const packet = new Packet();
  packet.alloc();
  while (context.readFrameSync(packet) >= 0) {
    const stream = context.streams[packet.streamIndex];
    const isVideo = stream?.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
    const seconds = (Number(packet.pts) * (stream?.timeBase.num ?? 0)) / (stream?.timeBase.den ?? 1);
    if (isVideo === (kind === 'video') && seconds >= first && seconds < last) {
      const at = Number(packet.pos);
      for (let place = at; place < at + packet.size; place += 1)
        bytes[place] = filling === 'zeros' ? 0 : (place * 7919 + (place >> 3) * 31) & 0xff;
    }
    packet.unref();
  }
  writeFileSync(to, bytes);
}
