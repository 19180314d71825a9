import type { MillraceError } from '../../../contract/errors.ts';
import { createPacketCheck, damagedPacketError, type PacketCheck } from '../formats/packet-framing.ts';
import type { StoredSample } from './layout.ts';
import { readDecoderConfig } from './sample-entry.ts';
import type { SourceTrack, TrackTiming } from './track-timing.ts';

/** Larger samples are not checked, because those that continue in another block are kept until they are whole. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns a function that receives the media of a result in order, in blocks of any size, and checks its samples, as the
 * engine checks copied packets (`refuse-damaged-packets.ts`).
 *
 * @param stored - the samples in the order of the result.
 * @param jobInputs - index of each input among the job's inputs.
 * @throws MillraceError `input_unreadable`, from the function.
 */
export function refuseDamagedSamples(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  stored: Iterable<StoredSample>,
  jobInputs: readonly number[],
): (block: Buffer) => void {
  const checks = tracks.map(({ track }) => createPacketCheck(track.codec, readDecoderConfig(track.description)));
  const order = stored[Symbol.iterator]();
  let current = openSample(order.next(), tracks, checks);
  return (block) => {
    for (let at = 0; current !== undefined && at < block.length; ) {
      const bytes = block.subarray(at, at + current.missing);
      at += bytes.length;
      current.missing -= bytes.length;
      if (current.missing > 0) {
        // The buffers of blocks are used again.
        if (current.check !== undefined) current.parts.push(Buffer.from(bytes));
        return;
      }
      const fault = current.check?.(current.parts.length === 0 ? bytes : Buffer.concat([...current.parts, bytes]));
      if (fault !== undefined) throw damageError(current, fault, tracks, timings, jobInputs);
      current = openSample(order.next(), tracks, checks);
    }
  };
}

/** A sample that has not been received completely. */
interface OpenSample extends StoredSample {
  readonly check: PacketCheck | undefined;
  /** What was received in earlier blocks. */
  readonly parts: Buffer[];
  /** Number of bytes that are missing. */
  missing: number;
}

function openSample(
  next: IteratorResult<StoredSample, unknown>,
  tracks: readonly SourceTrack[],
  checks: readonly (PacketCheck | undefined)[],
): OpenSample | undefined {
  if (next.done === true) return undefined;
  const { track, sample } = next.value;
  const size = tracks[track]?.samples.sizes[sample] ?? 0;
  return { track, sample, check: size > MAX_BYTES ? undefined : checks[track], parts: [], missing: size };
}

function damageError(
  { track: at, sample }: StoredSample,
  fault: string,
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  jobInputs: readonly number[],
): MillraceError {
  const [source, timing] = [tracks[at], timings[at]];
  if (source === undefined || timing === undefined) throw new Error(`there is no track ${at}`);
  const { track, samples } = source;
  let ticks = (samples.compositions[sample] ?? 0) - timing.mediaTime;
  for (let before = 0; before < sample; before += 1) ticks += samples.durations[before] ?? 0;
  const input = jobInputs[source.input] ?? source.input;
  return damagedPacketError(
    `The ${track.codec} ${track.kind} of input ${input + 1}`,
    timing.delay + ticks / track.timescale,
    fault,
    input,
  );
}
