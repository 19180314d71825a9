import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { statsOf, type TestPacket } from '../testing/make-stream-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import { compareStreams } from './compare-streams.ts';
import type { ComparedStream } from './compared-stream.ts';

/** Generates packets of varying lengths, with gaps, and a clock that begins anywhere. */
const someStream = (start: number) =>
  fc
    .record({
      steps: fc.array(
        fc.oneof({ arbitrary: fc.integer({ min: 30, max: 60 }), weight: 30 }, fc.integer({ min: 500, max: 30_000 })),
        { minLength: 40, maxLength: 120 },
      ),
      delay: fc.integer({ min: 0, max: 5000 }),
    })
    .map(({ steps, delay }) => {
      let time = start + delay / 1000;
      return steps.map((step): TestPacket => {
        const packet = { at: time, duration: step / 1000 };
        time += step / 1000;
        return packet;
      });
    });

const someFile = fc.integer({ min: -5, max: 100_000 }).chain((start) => fc.tuple(someStream(start), someStream(start)));

/** A container's clock, in ticks per second, and its start. */
const someContainer = fc.record({
  ticks: fc.constantFrom(1000, 12_800, 90_000),
  start: fc.constantFrom(0, 1.4, -0.02),
});

function stats(packets: readonly TestPacket[]): StreamStats {
  const [first] = statsOf([packets]);
  if (first === undefined) throw new Error('there are no packets');
  return first;
}

/** Returns the packets as stored in a container, which estimates the duration of the last one. */
function storeStream(
  packets: readonly TestPacket[],
  zero: number,
  { ticks, start }: { readonly ticks: number; readonly start: number },
): TestPacket[] {
  const round = (seconds: number) => Math.round(seconds * ticks) / ticks;
  const times = packets.map(({ at }) => round(at - zero + start));
  return times.map((at, place) => ({ at, duration: (times[place + 1] ?? at + 0.04) - at }));
}

type Film = readonly [TestPacket[], TestPacket[]];
type Harm = (film: Film, place: number, seconds: number) => Film;

const later = (packets: TestPacket[], seconds: number) =>
  packets.map((packet) => ({ ...packet, at: packet.at + seconds }));
const behind = (packets: TestPacket[], place: number, seconds: number) => [
  ...packets.slice(0, place),
  ...later(packets.slice(place), seconds),
];

function copyOf(film: Film, harm: Harm, place: number, seconds: number, container: { ticks: number; start: number }) {
  const zero = Math.min(...film.flat().map(({ at }) => at));
  const results = harm([storeStream(film[0], zero, container), storeStream(film[1], zero, container)], place, seconds);
  return (['video', 'audio'] as const).flatMap((kind, at): ComparedStream[] => {
    const [source, result] = [film[at], results[at]];
    if (source === undefined || result === undefined) return [];
    const sources = [{ file: 0, input: 0, undecoded: 0, stats: stats(source) }];
    return [{ kind, codec: 'any', origin: { action: 'copy', sources }, fileStats: stats(result) }];
  });
}

const longest = (packets: readonly TestPacket[]) => stats(packets).gaps?.[0]?.seconds ?? 0;

/** Returns the indexes of packets of a stream that no gap follows. */
const evenPlaces = (packets: readonly TestPacket[]) =>
  packets.flatMap(({ duration = 0 }, at) => (duration < 0.1 && at > 0 && at < packets.length - 1 ? [at] : []));

it('a gap at another position is refused', () => {
  fc.assert(
    fc.property(someFile, someContainer, fc.nat(), fc.integer({ min: 5, max: 40 }), (film, container, at, more) => {
      const [video, audio] = film;
      const places = evenPlaces(video);
      const [from = 1, to = 2] = [at, at + 7].map((place) => places[place % places.length]);
      fc.pre(Math.abs((video[from]?.at ?? 0) - (video[to]?.at ?? 0)) > 4);
      // This is longer than the other gaps, so that it cannot be mistaken for one of them.
      const seconds = more + longest(video);
      const [source, result] = [from, to].map((place) => [behind(video, place, seconds), audio] as const);
      const copies = [source, result].map((one = film) => copyOf(one, (copy) => copy, 0, 0, container));
      const shiftedStreams = copies[1]?.map((stream, place) => ({
        ...stream,
        origin: copies[0]?.[place]?.origin ?? stream.origin,
      }));
      expect(compareStreams(shiftedStreams ?? [])).toMatch(/^its video has a gap of .* where input 1 has /);
    }),
    { seed: 3, numRuns: propertyRuns(200) },
  );
});

it('copies that lost packets anywhere are refused', () => {
  fc.assert(
    fc.property(someFile, someContainer, fc.nat(), fc.boolean(), (film, container, at, byReader) => {
      const place = at % film[0].length;
      const streams = copyOf(film, ([video, audio]) => [video.toSpliced(place, 1), audio], 0, 0, container);
      const countedStreams = streams.map(({ fileStats, ...stream }): ComparedStream => {
        if (fileStats === undefined) return stream;
        return byReader
          ? { ...stream, fileStats: { ...fileStats, listed: true } }
          : { ...stream, fileStats, muxerStats: fileStats };
      });
      const count = film[0].length;
      // A loss at either end or in a gap also changes times, so it is not tested here.
      fc.pre(compareStreams(streams) === undefined);
      expect(compareStreams(countedStreams)).toBe(`its video has ${count - 1} packets instead of ${count}`);
    }),
    { seed: 4, numRuns: propertyRuns(100) },
  );
});

it('copies of valid streams are accepted in any container', () => {
  fc.assert(
    fc.property(someFile, someContainer, (film, container) => {
      expect(compareStreams(copyOf(film, (copy) => copy, 0, 0, container))).toBeUndefined();
    }),
    { seed: 1, numRuns: propertyRuns(300) },
  );
});

it.each<[string, Harm]>([
  ['a gap in one stream', ([video, audio], place, seconds) => [behind(video, place, seconds), audio]],
  ['equal gaps', ([video, audio], place, seconds) => [behind(video, place, seconds), behind(audio, place, seconds)]],
  ['one stream shifted', ([video, audio], _place, seconds) => [video, later(audio, seconds)]],
  ['one stream early', ([video, audio], _place, seconds) => [video, later(audio, -seconds)]],
  ['packets missing at the end', ([video, audio], place) => [video.slice(0, place), audio]],
  [
    'a stretched clock',
    ([video, audio], place, seconds) => {
      const factor = 1 + seconds / ((video[place]?.at ?? 1) - (video[0]?.at ?? 0));
      const stretch = (packets: TestPacket[]) => packets.map((packet) => ({ ...packet, at: packet.at * factor }));
      return [stretch(video), stretch(audio)];
    },
  ],
])('a result with %s is refused', (_what, harm) => {
  const place = fc.integer({ min: 3, max: 20 });
  fc.assert(
    fc.property(someFile, someContainer, place, fc.integer({ min: 3, max: 40 }), (film, container, at, seconds) => {
      // An injected gap must be longer than the gaps of the input. A gap that moved elsewhere is not tested here.
      const addedSeconds = seconds + longest(film[0]) + longest(film[1]);
      expect(compareStreams(copyOf(film, harm, at, addedSeconds, container))).toBeTypeOf('string');
    }),
    { seed: 2, numRuns: propertyRuns(200) },
  );
});
