import { AVERROR_EOF } from 'node-av/constants';
import { type CodecParameters, FFmpegError, FormatContext, Packet, Rational } from 'node-av/lib';
import { openMuxer } from './mux.ts';
import { subtitlePart } from './subtitles.ts';
import { audioFrames, type RepeatTask, type SubtitleCodec, sampleRate } from './task.ts';

/** Encoded part in memory. */
interface Part {
  readonly parameters: CodecParameters;
  /** In the order of decoding. */
  readonly packets: readonly Packet[];
  close(): void;
}

interface Track {
  readonly part: Part;
  /** Time base of its timestamps, in seconds. */
  readonly unit: Rational;
  /** Duration of one packet in units of the time base. */
  readonly step: number;
  /** Display duration of one packet in units of the time base, if it differs from `step`. */
  readonly displayMs?: number;
  /** Units before zero at which the first packet begins. */
  readonly lead: number;
  /** Number of packets in the whole file. */
  readonly count: number;
}

/** Writes the task's file. Every packet's timestamp follows from its number alone, so the streams have no seams. */
export function repeat(task: RepeatTask): void {
  const { video, audio, subtitles, cueSeconds, seconds, muxer: name, options, output } = task;
  const tracks = [
    ...(video === undefined ? [] : [videoTrack(video, seconds)]),
    ...(audio === undefined ? [] : [audioTrack(audio, seconds)]),
    ...(subtitles === undefined ? [] : [subtitleTrack(subtitles, seconds, cueSeconds)]),
  ];
  const muxer = openMuxer(
    name,
    output,
    options,
    tracks.map(({ part, unit }) => ({ parameters: part.parameters, unit })),
  );
  const orders = tracks.map(({ part }) => displayOrder(part));
  const packet = new Packet();
  packet.alloc();
  for (const { track, index, stream } of inOrder(tracks)) {
    const inPart = index % track.part.packets.length;
    const source = track.part.packets[inPart];
    const { ahead = 0, places = [] } = orders[stream] ?? {};
    const place = places[inPart];
    if (source === undefined || place === undefined) throw new Error(`The part of ${output} contains no packets.`);
    FFmpegError.throwIfError(packet.ref(source), 'repeat a packet');
    packet.pts = BigInt((index - inPart + place) * track.step - track.lead);
    packet.dts = BigInt((index - ahead) * track.step - track.lead);
    packet.duration = BigInt(track.displayMs ?? track.step);
    muxer.write(stream, packet);
  }
  packet.free();
  muxer.finish();
  for (const { part } of tracks) part.close();
}

function videoTrack({ part, rate }: NonNullable<RepeatTask['video']>, seconds: number): Track {
  return { part: readPart(part), unit: new Rational(1, rate), step: 1, lead: 0, count: seconds * rate };
}

function audioTrack({ part, codec }: NonNullable<RepeatTask['audio']>, seconds: number): Track {
  const parts = readPart(part);
  const step = audioFrames[codec];
  // A decoder drops `initialPadding` samples at the start. Opus declares them in its header, so its timestamps must
  // start that much before zero. The parts of the other codecs begin after these samples.
  if (codec !== 'opus') parts.parameters.initialPadding = 0;
  return {
    part: parts,
    unit: new Rational(1, sampleRate),
    step,
    lead: parts.parameters.initialPadding,
    count: Math.round((seconds * sampleRate) / step),
  };
}

function subtitleTrack(codec: SubtitleCodec, seconds: number, cueSeconds = 1): Track {
  const part = subtitlePart(codec);
  return { part, unit: new Rational(1, 1000), step: 1000, displayMs: 1000 * cueSeconds, lead: 0, count: seconds };
}

/**
 * Returns the place of each packet of a part in the order of display, and the number of packets by which decoding runs
 * ahead of display.
 */
function displayOrder({ packets }: Part): { readonly places: readonly number[]; readonly ahead: number } {
  const byTime = packets.map((_, index) => index).sort((a, b) => Number(packets[a]?.pts) - Number(packets[b]?.pts));
  const places: number[] = [];
  byTime.forEach((index, place) => {
    places[index] = place;
  });
  return { places, ahead: Math.max(0, ...places.map((place, index) => index - place)) };
}

/** Yields all packets of all tracks in chronological order. */
function* inOrder(tracks: readonly Track[]): Generator<{ track: Track; index: number; stream: number }> {
  const heads = tracks.map((track, stream) => ({ track, stream, index: 0 }));
  const time = ({ track, index }: (typeof heads)[number]) =>
    index < track.count ? (index * track.step - track.lead) * track.unit.toDouble() : Number.POSITIVE_INFINITY;
  for (;;) {
    const next = heads.reduce((first, head) => (time(head) < time(first) ? head : first));
    if (time(next) === Number.POSITIVE_INFINITY) return;
    yield next;
    next.index++;
  }
}

function readPart(path: string): Part {
  const context = new FormatContext();
  FFmpegError.throwIfError(context.openInputSync(path), `open ${path}`);
  const parameters = context.streams[0]?.codecpar;
  if (parameters === undefined) throw new Error(`${path} contains no stream.`);
  const packets: Packet[] = [];
  for (;;) {
    const packet = new Packet();
    packet.alloc();
    const result = context.readFrameSync(packet);
    if (result === AVERROR_EOF) {
      packet.free();
      break;
    }
    FFmpegError.throwIfError(result, `read ${path}`);
    packets.push(packet);
  }
  return {
    parameters,
    packets,
    close: () => {
      for (const packet of packets) packet.free();
      context.closeInputSync();
    },
  };
}
