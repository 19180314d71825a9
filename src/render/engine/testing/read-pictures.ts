import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { openInput } from '../media/input/open-input.ts';
import { LibraryLog } from '../media/library-log.ts';
import { Decoder } from '../media/output/decoder.ts';
import { FilterChain } from '../media/output/filter-chain.ts';
import { ticksToSeconds } from '../media/timestamps.ts';

/** A frame as rows of brightness, from 0 to 255: 16 by 16. */
export type BrightnessRows = readonly (readonly number[])[];

const side = 16;

/**
 * Returns frames of a video file as a player would show them without rotation. The requests are the presentation time
 * of a frame in seconds, and the centred part of it (`width:height`).
 */
export async function readPictures(
  path: string,
  requests: readonly (readonly [time: number, part: string])[],
): Promise<BrightnessRows[]> {
  const pictures: BrightnessRows[] = [];
  const { context, streams } = await openInput({ path }, 0, 'It', new LibraryLog(path));
  const stream = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
  if (stream === undefined) throw new Error('there is no video');
  const begin = ticksToSeconds(stream.startTime, stream.timeBase) ?? 0;
  const decoder = await Decoder.open(stream, 1, 'It');
  const packet = new Packet();
  packet.alloc();
  const capture = (frame: Parameters<Parameters<Decoder['push']>[1]>[0]) => {
    const time = (ticksToSeconds(frame.pts, stream.timeBase) ?? 0) - begin;
    for (const [at, [requestedTime, part]] of requests.entries()) {
      if (Math.abs(time - requestedTime) > 0.01) continue;
      const steps = [['crop', part] as const, ['scale', `${side}:${side}`] as const];
      const chain = new FilterChain('video', () => [...steps, ['format', 'gray']]);
      const copy = frame.clone();
      if (copy === null) throw new Error('a frame cannot be copied');
      chain.push(copy, stream.timeBase, (scaledFrame) => {
        const bytes = scaledFrame.toBuffer();
        pictures[at] = Array.from({ length: side }, (_, row) => [...bytes.subarray(row * side, (row + 1) * side)]);
      });
      chain.end(() => undefined);
    }
  };
  while (context.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === stream.index) decoder.push(packet, capture);
    packet.unref();
  }
  decoder.end(capture);
  return pictures;
}
