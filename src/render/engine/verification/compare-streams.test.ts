import { describe, expect, it } from 'vitest';
import type { StreamOrigin } from '../tasks/report.ts';
import { evenStats as even, evenPackets, statsOf } from '../testing/make-stream-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';
import { compareStreams } from './compare-streams.ts';
import type { ComparedStream } from './compared-stream.ts';

type Kind = ComparedStream['kind'];
interface Options {
  readonly action?: StreamOrigin['action'];
  readonly file?: number;
  readonly undecoded?: number;
  readonly hasOrigin?: boolean;
}

/** Returns a stream of a result with the given source. */
function streamFrom(kind: Kind, source: StreamStats, fileStats: StreamStats | undefined, options: Options = {}) {
  const { action = 'copy', file = 0, undecoded = 0, hasOrigin = true } = options;
  const sources = [{ file, input: file, undecoded, hasOrigin, stats: source }];
  return { kind, codec: 'any', origin: { action, sources }, ...(fileStats && { fileStats }) } satisfies ComparedStream;
}

const copyOf = (kind: Kind, source: StreamStats, fileStats: StreamStats) => streamFrom(kind, source, fileStats);

/** Returns the statistics of a stream with a constant packet rate and one gap. */
function withGap(seconds: number, step: number, from: number, to: number): StreamStats {
  const packets = evenPackets(seconds, step).filter(({ at }) => at <= from || at >= to);
  return statsOf([packets])[0] ?? even(seconds, step);
}

/** Returns both streams of a file, as copies with other statistics. */
const film = (video: StreamStats, audio: StreamStats, from = { video: even(16, 0.04), audio: even(16, 0.02) }) => [
  copyOf('video', from.video, video),
  copyOf('audio', from.audio, audio),
];

describe('valid results', () => {
  const slides = statsOf([[0, 30, 35, 60].map((at) => ({ at, duration: 30 }))])[0] ?? even(1, 1);
  const jumping = { ...even(60, 0.04), jumps: 3 };
  it.each<[string, ComparedStream[]]>([
    ['a copy', film(even(16, 0.04), even(16, 0.02))],
    ['a copy on its own clock', film(even(16, 0.04, 1.4), even(16, 0.02, 1.4))],
    ['no streams', []],
    ['a stream without packets', [{ kind: 'audio', codec: 'aac', origin: { action: 'copy', sources: [] } }]],
    ['one packet', [copyOf('video', even(0.04, 0.04), even(0.04, 0.04, 3))]],
    ['a slide show', [copyOf('video', slides, { ...slides, end: 60.04 })]],
    ['a last frame whose duration is a guess', [copyOf('video', slides, { ...slides, end: 120 })]],
    ['a recording with a gap', [copyOf('video', withGap(60, 0.04, 10, 30), withGap(60, 0.04, 10, 30))]],
    [
      'audio that begins later and ends earlier',
      film(even(16, 0.04, 1), even(3, 0.02, 6), { video: even(16, 0.04), audio: even(3, 0.02, 5) }),
    ],
    ['a gap that was filled', [streamFrom('audio', withGap(60, 0.02, 10, 30), even(60, 0.02), { action: 'encode' })]],
    ['packets of another duration', [streamFrom('audio', even(60, 0.02), even(60.4, 0.576), { action: 'encode' })]],
    [
      'frames that were not decoded',
      [streamFrom('video', even(60, 0.04), even(56, 0.04, 4), { action: 'encode', undecoded: 100 })],
    ],
    ['jumps that took an unknown time', [copyOf('video', jumping, withGap(60.9, 0.04, 20, 20.9))]],
    [
      'audio longer than its video',
      [
        streamFrom('video', even(5, 0.04), even(5, 0.04)),
        streamFrom('audio', even(60, 0.02, 90), even(60, 0.02), { file: 1 }),
      ],
    ],
    [
      'files that share a clock',
      [
        streamFrom('video', even(60, 0.04, 100), even(60, 0.04)),
        streamFrom('audio', even(60, 0.02, 101), even(60, 0.02, 1), { file: 1 }),
      ],
    ],
    [
      'files with unrelated clocks',
      [
        streamFrom('video', even(60, 0.04, 7), even(60, 0.04)),
        streamFrom('audio', even(60, 0.02), even(60, 0.02), { file: 1 }),
      ],
    ],
  ])('are accepted: %s', (_what, streams) => {
    expect(compareStreams(streams)).toBeUndefined();
  });
});

describe('wrong results', () => {
  const [video, audio] = [even(16, 0.04), even(16, 0.02)];
  it.each<[string, ComparedStream[]]>([
    ['it plays 28.0 s instead of 16.0 s', film(even(28, 0.04), even(28, 0.02))],
    ['it plays 8.0 s instead of 16.0 s', film(even(8, 0.04), even(8, 0.02))],
    ['its audio plays 12.0 s instead of 16.0 s', film(video, even(12, 0.02))],
    ['its video has a gap of 8.0 s at 4.0 s where input 1 has none', film(withGap(16, 0.04, 4, 12), audio)],
    [
      'its video has a gap of 8.0 s at 4.0 s where input 1 has 2.0 s at most',
      film(withGap(16, 0.04, 4, 12), audio, { video: withGap(16, 0.04, 4, 6), audio }),
    ],
    [
      'its audio begins 1.2 s before its video instead of together with it',
      film(even(14.8, 0.04, 1.2), audio, { video: even(14.8, 0.04), audio }),
    ],
    [
      'its audio begins together with its video instead of 1.2 s after it',
      film(video, even(14, 0.02), { video, audio: even(14, 0.02, 1.2) }),
    ],
    [
      'its audio begins 1.6 s before its video instead of together with it',
      [
        {
          ...streamFrom('video', video, even(14.4, 0.04, 1.6), { action: 'encode', undecoded: 40 }),
          beginsWhole: true,
        },
        copyOf('audio', audio, audio),
      ],
    ],
    [
      'it plays 23.9 s instead of 16.0 s',
      [
        streamFrom('video', even(16, 0.04, 10), even(16, 0.04), { hasOrigin: false }),
        streamFrom('audio', even(16, 0.02, 17.9), even(16, 0.02, 7.9), { hasOrigin: false, file: 1 }),
      ],
    ],
    ['its video has no packets', [streamFrom('video', video, undefined)]],
    [
      'its audio stream 2 begins 3.0 s after its video instead of 4.0 s after it',
      [
        copyOf('video', video, video),
        copyOf('audio', audio, audio),
        streamFrom('audio', even(5, 0.02, 4), even(5, 0.02, 3), { file: 1 }),
      ],
    ],
  ])('are reported: %s', (difference, streams) => {
    expect(compareStreams(streams)).toBe(difference);
  });

  it('a last frame that is listed as too long is accepted', () => {
    const listed = { ...even(16, 0.04), end: 40, listed: true } as const;
    expect(compareStreams(film(listed, audio))).toBe('it plays 40.0 s instead of 16.0 s');
  });

  it.each([3, 10, 1000])('the uncertain time of %d jumps adds up', (jumps) => {
    const streams = [copyOf('video', { ...video, jumps }, even(17.2, 0.04))];
    expect(compareStreams(streams)).toBe('it plays 17.2 s instead of 16.0 s');
  });

  it('ends of streams that drift apart are reported', () => {
    // Neither end is off by much, but they are off in opposite directions.
    const streams = film(even(16.45, 0.04), even(15.55, 0.02));
    expect(compareStreams(streams)).toBe('its audio ends 0.9 s before its video instead of together with it');
  });
});

describe('mixes', () => {
  const places = [
    { first: 2, end: 12 },
    { first: 0, end: 20 },
  ] as const;
  const mix = (fileStats: StreamStats, mixed: Extent = places[0], other: Extent | undefined = places[1]) => [
    copyOf('video', even(16, 0.04), even(16, 0.04)),
    {
      kind: 'audio',
      codec: 'aac',
      origin: {
        action: 'mix',
        sources: [
          { file: 0, input: 0, undecoded: 0, stats: even(10, 0.02, 2), mixed },
          { file: 1, input: 1, undecoded: 0, stats: even(20, 0.02), ...(other && { mixed: other }) },
        ],
      },
      fileStats,
    } as const,
  ];

  it('play from the beginning to the end of the longest source', () => {
    expect(compareStreams(mix(even(20, 0.02)))).toBeUndefined();
    expect(compareStreams(mix(even(17, 0.02)))).toMatch(/plays 17.0 s instead of 20.0 s/);
    expect(compareStreams(mix(even(24, 0.02)))).toMatch(/plays 24.0 s instead of 20.0 s/);
    expect(compareStreams(mix(even(20, 0.02, 1)))).toMatch(/plays 21.0 s|begins 1.0 s after/);
    expect(compareStreams(mix(withGap(20, 0.02, 3, 5)))).toMatch(/has a gap of 2.0 s at 3.0 s where input 1 has none/);
  });
});

describe('sources of a mix', () => {
  const sources = (first: Extent | undefined, second: Extent) => {
    const stats = [even(10, 0.02, 102), even(20, 0.02)].map((source, file) => {
      const mixed = [first, second][file];
      return { file, input: file, undecoded: 0, stats: source, ...(mixed && { mixed }) };
    });
    const origin = { action: 'mix', sources: stats } as const;
    return compareStreams([
      streamFrom('video', even(16, 0.04, 100), even(16, 0.04)),
      { kind: 'audio', codec: 'aac', origin, fileStats: even(20, 0.02) },
    ]);
  };
  const [own, other] = [
    { first: 2, end: 12 },
    { first: 0, end: 20 },
  ];

  it('are accepted at the expected time', () => {
    expect(sources(own, other)).toBeUndefined();
    expect(sources({ first: 2.05, end: 12.03 }, { first: 0.02, end: 19.9 })).toBeUndefined();
  });

  it.each([
    ['input 1 from 0.0 s to 10.0 s instead of from 2.0 s to 12.0 s', { first: 0, end: 10 }, other],
    ['input 1 from 2.0 s to 8.0 s instead of from 2.0 s to 12.0 s', { first: 2, end: 8 }, other],
    ['input 2 from 0.0 s to 17.0 s instead of from 0.0 s to 20.0 s', own, { first: 0, end: 17 }],
    ['input 2 from 1.0 s to 20.0 s instead of from 0.0 s to 20.0 s', own, { first: 1, end: 20 }],
  ])('are refused at another time: %s', (difference, first, second) => {
    expect(sources(first, second)).toBe(`its audio plays ${difference}`);
  });

  it('are refused if the mixer did not report when they play', () => {
    expect(sources(undefined, other)).toBe('no report contains when its audio plays input 1');
  });
});

describe('a file of which only the ends were read', () => {
  const ends = ({ first, last, end, jumps }: StreamStats) => ({ first, last, end, jumps });
  const source = even(60, 0.04);

  it('supplies the ends, and the muxer supplies the rest', () => {
    const stream = { ...streamFrom('video', source, source, { action: 'encode' }), muxerStats: source };
    expect(compareStreams([{ ...stream, fileStats: ends(source) }])).toBeUndefined();
    expect(compareStreams([{ ...stream, fileStats: ends(even(58, 0.04)) }])).toMatch(/plays 58.0 s/);
    const muxerStats = withGap(60, 0.04, 10, 13);
    expect(compareStreams([{ ...stream, muxerStats, fileStats: ends(source) }])).toMatch(/a gap of 3.0 s at 10.0 s/);
  });

  it('leaves the offsets to the muxer if some streams have no statistics', () => {
    const video = { ...streamFrom('video', source, source), muxerStats: source, fileStats: ends(even(60, 0.04, 1.4)) };
    const whole = { ...streamFrom('audio', even(30, 0.02), undefined), muxerStats: even(30, 0.02) };
    expect(compareStreams([video, whole])).toBeUndefined();
    const late = even(30, 0.02, 1);
    expect(compareStreams([video, { ...whole, muxerStats: late }])).toMatch(/begins 1.0 s after its video/);
  });
});
