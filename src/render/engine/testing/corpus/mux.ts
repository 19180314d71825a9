import { Rational, type Stream } from 'node-av/lib';
import type { Chapter } from '../../chapters/chapter.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { LibraryLog } from '../../media/library-log.ts';
import { Writer } from '../../media/output/result-writer.ts';
import type { Tags } from '../../tags/tags.ts';
import type { EncodedClip } from './encode.ts';

/** A stream of a muxed file. */
export interface MuxedStream {
  readonly clip: EncodedClip;
  /** Seconds that are added to its timestamps. */
  readonly start?: number;
  /** Sets the description of the stream. */
  readonly describe?: (stream: Stream) => void;
}

/**
 * Output format: a muxer and its options, with FFmpeg's names, and further properties if it is a container of results.
 */
export type Muxing = Pick<ContainerFormat, 'muxer' | 'muxerOptions'> & Partial<ContainerFormat>;

/** A file to be written. */
export interface MuxedFile {
  readonly muxing: Muxing;
  readonly streams: readonly MuxedStream[];
  /** Adds further streams; each returns a function that writes its packets. */
  readonly extras?: readonly ((writer: Writer) => () => void)[];
  /** Metadata of the file and of its streams. */
  readonly metadata?: Tags;
  readonly chapters?: readonly Chapter[];
}

/** Returns whether the muxer requires codec headers outside the streams. */
export function wantsGlobalHeader(muxing: Muxing, libraryLog: LibraryLog): boolean {
  return writerFor(muxing, '', libraryLog).globalHeader;
}

/**
 * Writes encoded clips into a file, with their packets in decoding order.
 *
 * @throws MillraceError if the muxer refuses them.
 */
export async function muxFile(path: string, file: MuxedFile, libraryLog: LibraryLog): Promise<void> {
  const { muxing, streams, extras = [], metadata = {}, chapters = [] } = file;
  const writer = writerFor(muxing, path, libraryLog);
  const queue = streams.flatMap(({ clip, start = 0, describe }) => {
    const output = writer.addStream();
    const { stream } = output;
    clip.parameters.copy(stream.codecpar);
    stream.codecpar.codecTag = 0;
    stream.timeBase = new Rational(clip.base.num, clip.base.den);
    stream.avgFrameRate = new Rational(clip.frameRate.num, clip.frameRate.den);
    stream.sampleAspectRatio = clip.parameters.sampleAspectRatio;
    describe?.(stream);
    const tick = clip.base.num / clip.base.den;
    const shift = BigInt(Math.round(start / tick));
    return clip.packets.map((packet) => ({
      seconds: Number(packet.dts + shift) * tick,
      write: () => {
        const copy = packet.clone();
        if (copy === null) throw new Error('there is no memory for a packet');
        copy.pts += shift;
        copy.dts += shift;
        output.write(copy, clip.base);
      },
    }));
  });
  const writeExtras = extras.map((add) => add(writer));
  writer.setAdditions({ tags: metadata, chapters });
  await writer.begin();
  for (const write of writeExtras) write();
  for (const { write } of queue.toSorted((a, b) => a.seconds - b.seconds)) write();
  await writer.finish();
}

function writerFor(muxing: Muxing, path: string, libraryLog: LibraryLog): Writer {
  const none = { codecs: { video: [], audio: [], subtitle: [] }, coverCodecs: [], encoders: { video: [], audio: [] } };
  return new Writer({ ...none, title: muxing.muxer, ...muxing }, path, 1e9, libraryLog);
}
