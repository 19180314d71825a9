import type { ByteSource } from '../../binary/byte-source.ts';
import { createPacketCheck } from '../../formats/packet-framing.ts';
import type { StoredSample } from '../layout.ts';
import { refuseDamagedSamples } from '../refuse-damaged-samples.ts';
import { readDecoderConfig } from '../sample-entry.ts';
import type { SourceTrack, TrackTiming } from '../track-timing.ts';

/** Number of bytes that are read at once. */
const blockBytes = 1024 * 1024;

/**
 * Checks the samples of fragments where they were placed, as the engine checks copied packets.
 *
 * @param source - the result, whose media is complete.
 * @throws MillraceError `input_unreadable`.
 */
export function refuseDamagedFragments(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  source: ByteSource,
): void {
  // The files are the job's inputs, in order.
  const jobInputs = tracks.map((_, at) => at);
  tracks.forEach(({ track, samples: { count, offsets, sizes } }, at) => {
    if (createPacketCheck(track.codec, readDecoderConfig(track.description)) === undefined) return;
    const inspect = refuseDamagedSamples(tracks, timings, samplesOf(at, count), jobInputs);
    for (let sample = 0; sample < count; ) {
      const from = offsets[sample] ?? 0;
      let end = from;
      // Samples without a gap between them are read together.
      for (; sample < count && offsets[sample] === end; sample += 1) end += sizes[sample] ?? 0;
      for (let position = from; position < end; position += blockBytes) {
        inspect(source.read(position, Math.min(blockBytes, end - position)));
      }
    }
  });
}

function* samplesOf(track: number, count: number): Generator<StoredSample> {
  for (let sample = 0; sample < count; sample += 1) yield { track, sample };
}
