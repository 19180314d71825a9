import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AV_PKT_DATA_SPHERICAL,
} from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import { openInput } from '../media/input/open-input.ts';
import { LibraryLog } from '../media/library-log.ts';
import { ticksToSeconds } from '../media/timestamps.ts';
import type { DescribedMedia, DescribedStream } from './described-media.ts';

/** Reads a whole media file. For {@link callMediaLibrary}. */
export async function describeMedia(path: string): Promise<DescribedMedia> {
  const { context, streams, sources } = await openInput({ path }, 0, 'It', new LibraryLog(path));
  const descriptions = streams.map((stream, at): DescribedStream => {
    return { ...traits(stream), kind: sources[at]?.kind ?? 'other', codec: sources[at]?.codec ?? '', cues: [] };
  });
  const packet = new Packet();
  packet.alloc();
  while (context.readFrameSync(packet) >= 0) {
    const at = packet.streamIndex;
    const [stream, description] = [streams[at], descriptions[at]];
    if (stream !== undefined && description !== undefined) recordPacket(packet, stream, description);
    packet.unref();
  }
  const metadata = context.metadata?.getAll() ?? {};
  context.closeInputSync();
  return { metadata, streams: descriptions };
}

function traits(stream: Stream): Pick<DescribedStream, 'metadata' | 'turn' | 'flags'> {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const flags = {
    default: AV_DISPOSITION_DEFAULT,
    forced: AV_DISPOSITION_FORCED,
    cover: AV_DISPOSITION_ATTACHED_PIC,
  };
  return {
    metadata: stream.metadata?.getAll() ?? {},
    flags: [
      ...Object.entries(flags).flatMap(([name, flag]) => (stream.hasDisposition(flag) ? [name] : [])),
      ...(stream.codecpar.getCodedSideData(AV_PKT_DATA_SPHERICAL) === null ? [] : ['spherical']),
      ...(stream.codecpar.getCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL) === null ? [] : ['light level']),
      ...(stream.codecpar.getCodedSideData(AV_PKT_DATA_DOVI_CONF) === null ? [] : ['Dolby Vision']),
      ...(stream.metadata?.get('alpha_mode') === '1' ? ['transparent'] : []),
    ],
    // The rotation angle, whose cosine and sine are the first two numbers of the matrix.
    ...(matrix === null
      ? {}
      : { turn: Math.round((Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI) }),
  };
}

function recordPacket(packet: Packet, stream: Stream, description: DescribedStream): void {
  const presentationTime = ticksToSeconds(packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts, stream.timeBase);
  if (presentationTime === undefined) return;
  const end = presentationTime + (ticksToSeconds(packet.duration, stream.timeBase) ?? 0);
  description.first = Math.min(description.first ?? presentationTime, presentationTime);
  description.end = Math.max(description.end ?? end, end);
  if (description.kind === 'subtitle') description.cues.push([presentationTime, packet.data?.toString('latin1') ?? '']);
}
