/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import type { EngineInput } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.mp4', 'v.mp4', 'a.m4a', 'av.webm', 'late.mp4', 'rich.mkv');
  engine = createInProcessEngine();
  writeFileSync(
    media.file('plain.srt'),
    '1\n00:00:00,500 --> 00:00:01,500\nGrüße & <3\n\n00:02,000 --> 00:03,000\nEnd\n',
  );
  writeFileSync(media.file('styled.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n<v Ann><i>Hi</i> &lt;b&gt;\n');
  const segs = (utf8: string) => [{ utf8 }];
  const events = [
    { tStartMs: 0, dDurationMs: 3000, segs: segs('one') },
    { tStartMs: 1000, dDurationMs: 10, aAppend: 1, segs: segs('\n') },
    { tStartMs: 1000, dDurationMs: 2500, segs: segs('two') },
  ];
  writeFileSync(media.file('rolling.json3'), JSON.stringify({ events }));
  writeFileSync(media.file('page.srt'), '<!doctype html><title>Sign in</title>');
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns an input that is a file of subtitles that the job adds. */
function added(addition: number, name: string, format: 'srt' | 'vtt' | 'json3', more: object = {}): EngineInput {
  return { path: media.file(name), subtitles: { addition, format, default: false, ...more } };
}

const spanish = { title: 'Español', default: true };

async function run(inputs: readonly (string | EngineInput)[], ext: OutputContainer, type?: EngineOperation) {
  const { path, report } = await processAndVerify(engine, media, {
    inputs,
    ext,
    ...(type === undefined ? {} : { type }),
  });
  const { streams } = await describeMedia(path);
  return {
    notes: report.notes.map(({ code, message, input }) =>
      input === undefined ? [code, message] : [code, message, input],
    ),
    tracks: streams
      .filter(({ kind }) => kind === 'subtitle')
      .map(({ codec, metadata: { language, title, name = title }, flags, cues }) => {
        const texts = cues.map(([at, text]) => [Number(at.toFixed(1)), Buffer.from(text, 'latin1').toString('utf8')]);
        const shown = texts.map(([at, text]) => [at, codec === 'mov_text' ? `${text}`.slice(2) : text]);
        const stated = language === 'und' ? undefined : language;
        return { codec, language: stated, name, flags, cues: shown.filter(([, text]) => text !== '') };
      }),
    kinds: streams.map(({ kind }) => kind),
  };
}

const plainCues = (text = 'Grüße & <3') => [
  [0.5, text],
  [2, 'End'],
];

describe('added subtitles', () => {
  it.each(['mp4', 'mov'] as const)('become tracks of timed text in %s', async (ext) => {
    const inputs = [
      'av.mp4',
      { ...added(0, 'plain.srt', 'srt', spanish), language: 'es' },
      { ...added(1, 'styled.vtt', 'vtt'), language: 'pt-BR' },
      added(2, 'rolling.json3', 'json3'),
    ];
    const { tracks, notes, kinds } = await run(inputs, ext);
    expect(tracks).toEqual([
      { codec: 'mov_text', language: 'spa', name: 'Español', flags: ['default'], cues: plainCues() },
      { codec: 'mov_text', language: 'por', name: undefined, flags: [], cues: [[1, 'Hi <b>']] },
      {
        ...{ codec: 'mov_text', language: undefined, name: undefined, flags: [] },
        cues: [
          [0, 'one'],
          [1, 'two'],
        ],
      },
    ]);
    expect(kinds.slice(0, 2)).toEqual(['video', 'audio']);
    expect(notes).toEqual([
      ['subtitle_converted', 'Subtitles 2 were converted to mov_text, without their formatting.'],
    ]);
  });

  it('become SubRip in Matroska', async () => {
    const inputs = [
      'av.mp4',
      { ...added(0, 'plain.srt', 'srt', spanish), language: 'es' },
      { ...added(1, 'styled.vtt', 'vtt'), language: 'pt-BR' },
    ];
    const { tracks, notes } = await run(inputs, 'mkv');
    expect(tracks).toEqual([
      { codec: 'subrip', language: 'spa', name: 'Español', flags: ['default'], cues: plainCues() },
      { codec: 'subrip', language: 'por', name: undefined, flags: [], cues: [[1, '<i>Hi</i> <b>']] },
    ]);
    expect(readFileSync(media.file('result.mkv')).includes(Buffer.from('\x22\xb5\x9d\x85pt-BR', 'latin1'))).toBe(true);
    expect(notes).toEqual([]);
  });

  it('become WebVTT in WebM', async () => {
    const { tracks, notes } = await run(
      ['av.webm', { ...added(0, 'plain.srt', 'srt', spanish), language: 'es' }, added(1, 'styled.vtt', 'vtt')],
      'webm',
    );
    expect(tracks).toEqual([
      { codec: 'webvtt', language: 'spa', name: 'Español', flags: ['default'], cues: plainCues('Grüße &amp; &lt;3') },
      { codec: 'webvtt', language: undefined, name: undefined, flags: [], cues: [[1, '<i>Hi</i> &lt;b&gt;']] },
    ]);
    expect(notes).toEqual([]);
  });

  it('do not change how separate video and audio are aligned', async () => {
    const { tracks } = await run(['v.mp4', 'a.m4a', added(0, 'plain.srt', 'srt')], 'mp4', 'join_streams');
    expect(tracks[0]?.cues).toEqual(plainCues());
  });

  it('are kept by operations that take only audio or video', async () => {
    expect((await run(['av.mp4', added(0, 'plain.srt', 'srt')], 'mkv', 'extract_audio')).kinds).toEqual([
      'audio',
      'subtitle',
    ]);
    const mixed = await run(['av.mp4', 'a.m4a', added(0, 'plain.srt', 'srt')], 'mp4', 'mix_audio_and_video');
    expect(mixed.kinds).toEqual(['video', 'audio', 'subtitle']);
  });

  it('are left out with a note if they cannot be read', async () => {
    const { tracks, notes } = await run(['av.mp4', added(0, 'page.srt', 'srt'), added(1, 'plain.srt', 'srt')], 'mp4');
    expect(tracks).toHaveLength(1);
    expect(notes).toEqual([['subtitles_left_out', 'Subtitles 1 were left out: they contain no srt cues.']]);
  });

  it.each(['ts', 'm4a'] as const)('are left out of %s with a note', async (ext) => {
    const { tracks, notes } = await run(
      ['av.mp4', added(0, 'plain.srt', 'srt')],
      ext,
      ext === 'm4a' ? 'extract_audio' : undefined,
    );
    expect(tracks).toEqual([]);
    const title = ext === 'ts' ? 'MPEG-TS' : 'M4A';
    expect(notes).toEqual([['subtitles_left_out', `Subtitles 1 were left out: ${title} cannot store them.`]]);
  });
});

describe('a clip', () => {
  // A Matroska file plays from the key frame before the clip, which is the first frame here.
  it.each([
    ['mp4', [[0, 1], [0]]],
    [
      'mkv',
      [
        [0.5, 2],
        [0, 1],
      ],
    ],
  ] as const)('cuts added subtitles of %s along', async (ext, expectedTimes) => {
    const inputs = ['av.mp4', added(0, 'plain.srt', 'srt'), added(1, 'rolling.json3', 'json3')];
    const clip = { start: 1, end: 2.5 };
    const { path, report } = await processAndVerify(engine, media, { inputs, ext, clip });
    const { streams } = await describeMedia(path);
    const cues = streams.filter(({ kind }) => kind === 'subtitle').map((stream) => stream.cues);
    const times = cues.map((list) => list.filter(([, text]) => text.replaceAll('\0', '') !== '').map(([at]) => at));
    expect(times.map((list) => list.map((at) => Number(at.toFixed(1))))).toEqual(expectedTimes);
    expect(report.notes.filter(({ code }) => code.startsWith('subtitle'))).toEqual([]);
  });

  it('may contain no cue of added subtitles', async () => {
    const inputs = ['av.mp4', added(0, 'rolling.json3', 'json3')];
    const clip = { start: 3.6 };
    const { report } = await processAndVerify(engine, media, { inputs, ext: 'mp4', clip });
    expect(report.streams.filter(({ kind }) => kind !== 'subtitle')).toHaveLength(2);
  });
});

describe('subtitle files as inputs of join_streams', () => {
  const input = (name: string, format: 'srt' | 'vtt'): EngineInput => {
    return { path: media.file(name), language: 'de', subtitles: { format, default: false } };
  };

  it.each(['mp4', 'mkv'] as const)('become tracks in %s', async (ext) => {
    const { tracks, notes } = await run(['av.mp4', input('plain.srt', 'srt')], ext, 'join_streams');
    expect(tracks).toMatchObject([{ language: 'deu', cues: plainCues() }]);
    expect(notes).toEqual([]);
  });

  it('fail the job if they cannot be read', async () => {
    await expect(run(['av.mp4', input('page.srt', 'srt')], 'mp4', 'join_streams')).rejects.toMatchObject({
      code: 'input_unreadable',
      input: 1,
      message: 'Input 2 is not a readable srt file: they contain no srt cues. Use another file.',
    });
  });

  it('have a note like other streams if the container has no subtitles', async () => {
    const { notes } = await run(['av.mp4', input('plain.srt', 'srt')], 'ts', 'join_streams');
    expect(notes).toMatchObject([['stream_left_out', expect.stringContaining('input 2, stream 0'), 1]]);
  });
});

it('added subtitles are read inside the sandbox', async () => {
  const sandboxed = createEngine({ directory: media.path, spares: 1 });
  try {
    const inputs = ['av.mp4', added(0, 'plain.srt', 'srt'), added(1, 'page.srt', 'srt')];
    const { report } = await processAndVerify(sandboxed, media, { inputs, ext: 'mp4' });
    expect(report.streams.map(({ kind }) => kind)).toEqual(['video', 'audio', 'subtitle']);
    expect(report.notes.map(({ code }) => code)).toEqual(['subtitles_left_out']);
  } finally {
    await sandboxed.close();
  }
});
