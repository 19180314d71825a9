import { containerFormats } from '../../formats/container-formats.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { Track, TrackPlan } from '../../track-plan/track.ts';
import { ClipCutter } from '../clip/clip-cutter.ts';
import { guardEncrypted } from '../input/encryption.ts';
import { namedStream } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { createAudioChain } from '../output/audio-chain.ts';
import { type AudioFormat, encodedFormat } from '../output/audio-format.ts';
import type { AudioGain } from '../output/audio-gain.ts';
import { type DecodeSetup, decodeStream } from '../output/decode-stream.ts';
import { pickEncoder } from '../output/encoder.ts';
import { mixFormat, mixStreams } from '../output/mix-streams.ts';
import { refuseSources } from '../output/track-sinks.ts';
import { createMembers, readInputs } from '../reading/read-inputs.ts';
import { ignoredPackets, noWriter, type Sink, type TaskContext } from '../sink.ts';
import { type Loudness, LoudnessMeter } from './loudness-meter.ts';

/**
 * Reads the inputs of a task and measures audio tracks as they would be encoded, and copied ones unchanged.
 *
 * @param gains - changes of the volume that are measured.
 * @throws MillraceError as for the operation itself.
 */
export async function measureTracks(
  task: ProcessTask,
  trackPlan: TrackPlan,
  tracks: readonly Track[],
  gains: ReadonlyMap<Track, AudioGain>,
  inputs: readonly MediaInput[],
  taskContext: TaskContext,
): Promise<ReadonlyMap<Track, Loudness>> {
  const cutter = task.clip === undefined ? undefined : new ClipCutter(task.clip, containerFormats[trackPlan.container]);
  const sinks = inputs.map(() => new Map<number, Sink>());
  const meters = new Map<Track, LoudnessMeter>();
  const add = (source: SourceStream, sink: Sink) => sinks[source.input]?.set(source.index, sink);
  for (const track of trackPlan.tracks) {
    if (!tracks.includes(track)) {
      for (const source of track.sources) add(source, ignoredPackets);
      continue;
    }
    refuseSources(track, inputs);
    const meter = new LoudnessMeter(formatOf(track, inputs, trackPlan));
    meters.set(track, meter);
    const setup = { threads: taskContext.threads, clip: cutter?.window };
    const meterSinks = await createSinks(track, inputs, meter, gains.get(track), setup);
    track.sources.forEach((source, at) => {
      const sink = meterSinks[at];
      if (sink !== undefined) add(source, guardEncrypted(sink, namedStream(source, inputs), source.jobInput));
    });
  }
  // A clip of measured tracks is exact, because they are decoded.
  const readTracks = trackPlan.tracks.map((track): Track => {
    return meters.has(track) && track.action === 'copy' ? { ...track, action: 'encode' } : track;
  });
  const cutSinks = cutter?.cutAll(readTracks, inputs, sinks) ?? sinks;
  await readInputs(createMembers(task, trackPlan, inputs, cutSinks, cutter), noWriter, taskContext);
  return new Map([...meters].map(([track, { loudness }]) => [track, loudness]));
}

/** Returns the format of a track in the result. */
function formatOf(track: Track, inputs: readonly MediaInput[], { container }: TrackPlan): AudioFormat {
  const streams = track.sources.map((source) => namedStream(source, inputs));
  const own = track.action === 'mix' ? mixFormat(streams) : streams[0]?.stream.codecpar;
  const { sampleRate = 0, channels = 2 } = own ?? {};
  if (track.action === 'copy') return { sampleRate: sampleRate || 48_000, channels };
  const { choice, codec } = pickEncoder(containerFormats[container].encoders.audio);
  return encodedFormat(choice, codec, { sampleRate, channels });
}

async function createSinks(
  { action, sources, volumes }: Track,
  inputs: readonly MediaInput[],
  meter: LoudnessMeter,
  gain: AudioGain | undefined,
  setup: DecodeSetup,
): Promise<readonly Sink[]> {
  const streams = sources.map((source) => namedStream(source, inputs));
  const [first] = streams;
  if (first === undefined) throw new Error('a track has no source');
  if (action === 'mix') return await mixStreams(streams, volumes, meter, gain, setup);
  return [await decodeStream(first, 'audio', createAudioChain(meter, gain), setup)];
}
