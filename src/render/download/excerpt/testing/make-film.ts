import { additionsInIndex } from '../../../engine/mp4/additions/additions-in-index.ts';
import { computeLayout } from '../../../engine/mp4/layout.ts';
import { placeTracks } from '../../../engine/mp4/track-timing.ts';
import { testSamples, testTrack } from '../../../engine/testing/mp4-tracks.ts';

/** A film of 200 s with a key frame every 4 s, and 24 MiB: 120 KiB each second. */
const film = { seconds: 200, framesPerSecond: 25, frameBytes: 4700, packetBytes: 100, keySeconds: 4 };
/** Bytes of the media of the film for each second. */
export const filmBytesPerSecond = film.framesPerSecond * film.frameBytes + 50 * film.packetBytes;

/**
 * Creates a film: a progressive MP4 file with its index in front, whose samples no decoder could use.
 *
 * @param other - what differs from the film of 24 MiB.
 */
export function makeFilm(other: Partial<typeof film> = {}): Buffer {
  const { seconds, framesPerSecond, frameBytes, packetBytes, keySeconds } = { ...film, ...other };
  const frames = Array.from({ length: seconds * framesPerSecond }, (_, at) => {
    return { size: frameBytes, duration: 1, sync: at % (keySeconds * framesPerSecond) === 0 };
  });
  const packets = Array.from({ length: seconds * 50 }, () => ({ size: packetBytes, duration: 960 }));
  const tracks = [
    {
      input: 0,
      track: testTrack('video', { timescale: framesPerSecond, ticks: frames.length }),
      samples: testSamples(frames),
    },
    {
      input: 0,
      track: testTrack('audio', { id: 2, timescale: 48_000, ticks: packets.length * 960 }),
      samples: testSamples(packets),
    },
  ];
  const noAdditions = additionsInIndex({ tags: {}, chapters: [] }, 0);
  const { head, mediaBytes } = computeLayout(tracks, placeTracks(tracks), 'mp4', noAdditions);
  const media = Buffer.alloc(mediaBytes);
  for (let at = 0; at + 4 <= mediaBytes; at += 100) media.writeUInt32BE(at, at);
  return Buffer.concat([head, media]);
}
