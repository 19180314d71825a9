import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { containerFormats } from '../formats/container-formats.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import type { TrackPlan } from './track.ts';
import { planTracks } from './track-plan.ts';

const exts = Object.keys(containerFormats) as OutputContainer[];
const operations: readonly EngineOperation[] = [
  ...(['join_streams', 'convert_format', 'extract_audio', 'extract_video'] as const),
  ...(['replace_audio_in_video', 'mix_audio_and_video'] as const),
];

/** Every kind of stream that demuxers deliver, and codecs that no container supports. */
const codecs: Readonly<Record<SourceStream['kind'] | 'cover', readonly string[]>> = {
  video: ['h264', 'hevc', 'vp9', 'av1', 'mpeg2video', 'theora', 'unknown'],
  audio: ['aac', 'opus', 'mp3', 'flac', 'ac3', 'pcm_s16le', 'truehd', 'unknown'],
  subtitle: [
    ...['subrip', 'text', 'ass', 'ssa', 'webvtt', 'mov_text', 'dvb_subtitle', 'dvb_teletext', 'hdmv_pgs_subtitle'],
    ...['hdmv_text_subtitle', 'dvd_subtitle', 'xsub', 'eia_608', 'ttml', 'arib_caption', 'unknown'],
  ],
  data: ['timed_id3', 'scte_35', 'klv', 'tmcd', 'gpmd', 'wvtt', 'bin_data', 'unknown'],
  attachment: ['ttf', 'application/pdf', 'unknown'],
  chapters: ['text'],
  cover: ['mjpeg', 'png', 'bmp', 'webp', 'gif'],
};

type TestStream = Pick<SourceStream, 'kind' | 'codec' | 'cover' | 'empty'>;

const stream = fc
  .constantFrom(...(Object.keys(codecs) as (keyof typeof codecs)[]))
  .chain((kind) => fc.record({ kind: fc.constant(kind), codec: fc.constantFrom(...codecs[kind]), empty: fc.boolean() }))
  .map(({ kind, codec, empty }): TestStream => {
    return kind === 'cover'
      ? { kind: 'video', codec, cover: true, empty: false }
      : { kind, codec, cover: false, empty: empty && (kind === 'video' || kind === 'audio') };
  });
/** A film with random additional streams in random order. */
const film = fc.array(stream, { maxLength: 6 }).map((others): TestStream[] => {
  const plain = { cover: false, empty: false };
  return [{ ...plain, kind: 'video', codec: 'h264' }, ...others, { ...plain, kind: 'audio', codec: 'aac' }];
});

/** Returns as many inputs as the operation takes. */
function inputsFor(operation: EngineOperation) {
  const two = operation === 'replace_audio_in_video' || operation === 'mix_audio_and_video';
  const maxLength = two ? 2 : operation === 'join_streams' ? 3 : 1;
  return fc.array(film, { minLength: two ? 2 : 1, maxLength }).map((files) =>
    files.map((streams, input) => {
      return streams.map((each, index): SourceStream => ({ ...each, input, jobInput: input, index }));
    }),
  );
}

/** Returns whether leaving the stream out is the purpose of the operation, according to docs/reference/results.md. */
function isExcluded({ kind, cover, input }: SourceStream, operation: EngineOperation): boolean {
  if (kind === 'chapters') return true;
  const second = input > 0;
  const excluded: Readonly<Partial<Record<EngineOperation, boolean>>> = {
    extract_audio: kind === 'video' && !cover,
    extract_video: kind === 'audio',
    replace_audio_in_video: second ? kind === 'video' : kind === 'audio',
    mix_audio_and_video: second && kind === 'video',
  };
  return excluded[operation] === true;
}

function missing(plan: TrackPlan, files: readonly SourceStream[][], operation: EngineOperation): SourceStream[] {
  const keptStreams = new Set(plan.tracks.flatMap(({ sources }) => sources));
  return files.flat().filter((each) => {
    const streamReference = `(input ${each.jobInput + 1}, stream ${each.index})`;
    const hasNote = plan.notes.some(({ code, message, input }) => {
      return code === 'stream_left_out' && input === each.jobInput && message.includes(streamReference);
    });
    // Exactly one of the two must be true, or neither if the operation excludes the stream.
    return Number(keptStreams.has(each)) + Number(hasNote) !== (isExcluded(each, operation) ? 0 : 1);
  });
}

describe('every stream is in the result, in a note, or excluded by the operation', () => {
  it.each(operations)('after %s', (type) => {
    let planCount = 0;
    fc.assert(
      fc.property(inputsFor(type), fc.constantFrom(...exts), fc.boolean(), (files, ext, copyStreams) => {
        let plan: TrackPlan;
        try {
          plan = planTracks(files, { type, copyStreams }, ext);
        } catch (error) {
          if (error instanceof MillraceError) return;
          throw error;
        }
        planCount += 1;
        expect(missing(plan, files, type)).toEqual([]);
      }),
      { seed: 16, numRuns: propertyRuns(2000) },
    );
    expect(planCount).toBeGreaterThan(100);
  });
});

it.each(exts)('%s: each kind of stream is handled alongside video and audio', (ext) => {
  const [audio = ''] = containerFormats[ext].codecs.audio;
  for (const [kind, names] of Object.entries(codecs).filter(([name]) => name !== 'video' && name !== 'audio')) {
    for (const codec of names) {
      const source = { input: 0, jobInput: 0, empty: false };
      const files = [
        [
          { ...source, index: 0, kind: 'audio', codec: audio, cover: false } as const,
          {
            ...source,
            index: 1,
            kind: kind === 'cover' ? 'video' : (kind as SourceStream['kind']),
            codec,
            cover: kind === 'cover',
          },
        ],
      ];
      const plan = planTracks(files, { type: 'join_streams', copyStreams: true }, ext);
      expect(missing(plan, files, 'join_streams')).toEqual([]);
    }
  }
});
