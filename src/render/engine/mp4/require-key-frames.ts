import { decline } from '../binary/fast-path-declined.ts';
import { frameHeadBytes } from '../formats/first-frame.ts';
import { beginsDecoding } from '../formats/key-frames.ts';
import type { InputFile } from './open-files.ts';
import { readDecoderConfig } from './sample-entry.ts';
import type { SourceTrack } from './track-timing.ts';

/**
 * Declines a clip whose video begins with a sample that is no key frame, although its file calls it one.
 *
 * @param tracks - the tracks of the clip.
 * @param files - the inputs.
 * @throws FastPathDeclined
 */
export function requireKeyFrames(tracks: readonly SourceTrack[], files: readonly InputFile[]): void {
  for (const { track, samples, input } of tracks) {
    const [offset, size] = [samples.offsets[0], samples.sizes[0]];
    if (track.kind !== 'video' || offset === undefined || size === undefined) continue;
    const head = files[input]?.source.read(offset, Math.min(size, frameHeadBytes)) ?? Buffer.alloc(0);
    if (beginsDecoding(track.codec, readDecoderConfig(track.description), head) === false) {
      decline('its index calls other frames key frames');
    }
  }
}
