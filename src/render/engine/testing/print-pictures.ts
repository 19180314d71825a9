import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { openInput } from '../media/input/open-input.ts';
import { LibraryLog } from '../media/library-log.ts';
import { Decoder } from '../media/output/decoder.ts';
import { FilterChain } from '../media/output/filter-chain.ts';
import { ticksToSeconds } from '../media/timestamps.ts';

/**
 * Prints frames of a video file as rows of brightness, 16 by 16 each, before a player would rotate them. The arguments
 * after the path are pairs: the presentation time of a frame in seconds, and the centred part of it (`width:height`).
 */
const [path = '', ...requests] = process.argv.slice(2);
const side = 16;
const pictures: number[][][] = [];

const { context, streams } = await openInput({ path }, 0, 'It', new LibraryLog(path));
const stream = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
if (stream === undefined) throw new Error('there is no video');
const begin = ticksToSeconds(stream.startTime, stream.timeBase) ?? 0;
const decoder = await Decoder.open(stream, 1, 'It');
const packet = new Packet();
packet.alloc();
const capture = (frame: Parameters<Parameters<Decoder['push']>[1]>[0]) => {
  const time = (ticksToSeconds(frame.pts, stream.timeBase) ?? 0) - begin;
  for (let at = 0; at < requests.length; at += 2) {
    if (Math.abs(time - Number(requests[at])) > 0.01) continue;
    const steps = [['crop', requests[at + 1] ?? ''] as const, ['scale', `${side}:${side}`] as const];
    const chain = new FilterChain('video', () => [...steps, ['format', 'gray']]);
    const copy = frame.clone();
    if (copy === null) throw new Error('a frame cannot be copied');
    chain.push(copy, stream.timeBase, (scaledFrame) => {
      const bytes = scaledFrame.toBuffer();
      pictures[at / 2] = Array.from({ length: side }, (_, row) => [...bytes.subarray(row * side, (row + 1) * side)]);
    });
    chain.end(() => undefined);
  }
};
while (context.readFrameSync(packet) >= 0) {
  if (packet.streamIndex === stream.index) decoder.push(packet, capture);
  packet.unref();
}
decoder.end(capture);
process.stdout.write(JSON.stringify(pictures), () => process.kill(process.pid, 'SIGKILL'));
