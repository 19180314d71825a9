import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MillraceError } from './errors.ts';
import { parseJob } from './parse-job.ts';

const input = { url: 'https://cdn.example/a.mp4', ext: 'mp4' };
const valid = { id: 'job-1', inputs: [input], output: { ext: 'mp4' }, operation: { type: 'convert_format' } };
const encoded = { ...valid, operation: { type: 'convert_format', copyStreams: false } };
const image = { url: 'https://cdn.example/1.jpg', ext: 'jpg' };
const slideshow = { ...valid, inputs: [image, image, input], operation: { type: 'slideshow' } };
const withOutput = (output: object) => ({ ...valid, output: { ext: 'mp4', ...output } });
const withOperation = (operation: object) => ({ ...encoded, operation: { ...encoded.operation, ...operation } });

function fieldsOf(body: unknown): string[] {
  try {
    parseJob(body);
    return [];
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'invalid_body') throw error;
    return (error.fields ?? []).map(({ path }) => path);
  }
}

describe('a clip', () => {
  test.each([
    [
      { start: 90, end: 150 },
      { start: 90, end: 150 },
    ],
    [{ start: 1.5 }, { start: 1.5 }],
    [{ end: 150 }, { start: 0, end: 150 }],
  ])('is accepted: %j', (clip, expected) => expect(parseJob({ ...valid, clip }).clip).toEqual(expected));

  test.each([
    ['nothing', {}, 'clip'],
    ['an end before the start', { start: 5, end: 4 }, 'clip.end'],
    ['an end at the start', { start: 5, end: 5 }, 'clip.end'],
    ['a negative start', { start: -1 }, 'clip.start'],
    ['a text', { start: '1:30' }, 'clip.start'],
    ['null', { start: null }, 'clip.start'],
    ['an end of zero', { end: 0 }, 'clip.end'],
    ['a start in a million years', { start: 1e15 }, 'clip.start'],
    ['a list', [90, 150], 'clip'],
    ['another member', { start: 1, duration: 4 }, 'clip.duration'],
  ])('is rejected: %s', (_name, clip, path) => expect(fieldsOf({ ...valid, clip })).toEqual([path]));

  test('is accepted if and only if it has a length', () => {
    const time = fc.double({ min: 0, max: 1_000_000, noNaN: true });
    fc.assert(
      fc.property(time, time, (start, end) => {
        expect(fieldsOf({ ...valid, clip: { start, end } }).length === 0).toBe(end > start && end > 0);
      }),
      { seed: 23 },
    );
  });
});

describe('no_process', () => {
  const members: [string, object][] = [
    ['clip', { clip: { start: 1 } }],
    ['output.metadata', { output: { ext: 'mp4', metadata: { title: 'A' } } }],
    ['output.cover', { output: { ext: 'mp4', cover: { url: 'https://cdn.example/a.jpg' } } }],
    ['output.chapters', { output: { ext: 'mp4', chapters: [{ start: 0, title: 'A' }] } }],
    ['output.subtitles', { output: { ext: 'mp4', subtitles: [{ content: 'x', format: 'srt' }] } }],
    ['output.maxSize', { output: { ext: 'mp4', maxSize: 8_000_000 } }],
    ['operation.audioBitrate', { operation: { type: 'no_process', audioBitrate: 128 } }],
    ['operation.loudness', { operation: { type: 'no_process', loudness: -14 } }],
    ['operation.video', { operation: { type: 'no_process', video: { maxHeight: 720 } } }],
    ['operation.volumes', { operation: { type: 'no_process', volumes: [1, 1] } }],
    ['operation.duration', { operation: { type: 'no_process', duration: 'video' } }],
  ];
  test.each(members)('cannot have %s', (path, member) => {
    expect(fieldsOf({ ...valid, operation: { type: 'no_process' }, ...member })).toContain(path);
  });
});

describe('encoding options', () => {
  test('are parsed', () => {
    const options = { audioBitrate: 192, loudness: -14, video: { maxHeight: 720, codec: 'h265', crop: '9:16' } };
    expect(parseJob(withOperation(options)).operation).toEqual({
      type: 'convert_format',
      copyStreams: false,
      audioBitrate: 192,
      loudness: -14,
      video: { maxHeight: 720, codec: 'h265', crop: { width: 9, height: 16 } },
    });
  });

  test.each([
    ['operation.audioBitrate', { audioBitrate: 128, copyStreams: true }],
    ['operation.audioBitrate', { audioBitrate: 31 }],
    ['operation.audioBitrate', { audioBitrate: 321 }],
    ['operation.loudness', { loudness: 0 }],
    ['operation.video', { video: { maxHeight: 720 }, copyStreams: true }],
    ['operation.video.codec', { video: { codec: 'theora' } }],
    ['operation.video.crop', { video: { crop: '0:16' } }],
    ['operation.video.maxFps', { video: { maxFps: 0 } }],
    ['operation.secondsPerImage', { secondsPerImage: 3 }],
    ['operation.volumes', { volumes: [1, 1] }],
    ['operation.duration', { duration: 'shortest' }],
    ['operation.duration', { duration: 'audio' }],
  ])('that have no effect or are invalid are rejected: %s', (path, options) => {
    expect(fieldsOf(withOperation(options))).toEqual([path]);
  });

  test('of a mix have a volume for each input', () => {
    const mixed = (volumes: unknown) => ({
      ...valid,
      inputs: [input, input],
      operation: { type: 'mix_audio_and_video', volumes },
    });
    expect(parseJob(mixed([1, 0.5])).operation.volumes).toEqual([1, 0.5]);
    for (const volumes of [[1], [1, 1, 1], 0.5]) expect(fieldsOf(mixed(volumes))).toEqual(['operation.volumes']);
    for (const volume of [-0.1, 4.1, '1']) expect(fieldsOf(mixed([1, volume]))).toEqual(['operation.volumes.1']);
  });

  test('state the containers of a codec', () => {
    const body = { ...withOperation({ video: { codec: 'h264' } }), output: { ext: 'webm' } };
    expect(fieldsOf(body)).toEqual(['operation.video.codec']);
  });

  test.each([
    ['mp3', { type: 'convert_format' }],
    ['mkv', { type: 'extract_audio' }],
  ])('shape no video in a result without one: %s', (ext, operation) => {
    const body = withOperation({ ...operation, video: { codec: 'h264' } });
    expect(fieldsOf({ ...body, output: { ext } })).toEqual(['operation.video']);
  });

  test('of a maximum size require encoding', () => {
    expect(fieldsOf(withOutput({ maxSize: 8_000_000 }))).toEqual(['output.maxSize']);
    expect(fieldsOf({ ...encoded, output: { ext: 'mp4', maxSize: 8_000_000 } })).toEqual([]);
    expect(fieldsOf({ ...encoded, output: { ext: 'mp4', maxSize: 1 } })).toEqual(['output.maxSize']);
  });
});

describe('additions to the result', () => {
  test('are parsed, without empty tags', () => {
    const { output } = parseJob(
      withOutput({
        metadata: { title: 'A', artist: ' ', date: '' },
        cover: { url: 'https://cdn.example/a.jpg' },
        chapters: [{ start: 0, title: 'A' }],
        subtitles: [
          { content: '1\n', format: 'srt', title: '' },
          { url: 'https://cdn.example/a.vtt', format: 'vtt', language: 'pt-BR', default: true },
        ],
      }),
    );
    const request = { method: 'GET', headers: {} };
    expect(output).toEqual({
      ext: 'mp4',
      metadata: { title: 'A' },
      cover: { url: 'https://cdn.example/a.jpg', request },
      chapters: [{ start: 0, title: 'A' }],
      subtitles: [
        { source: { content: '1\n' }, format: 'srt', default: false },
        { source: { url: 'https://cdn.example/a.vtt', request }, format: 'vtt', language: 'pt-BR', default: true },
      ],
    });
  });

  const header = { requestOptions: { headers: { host: 'a' } } };
  test.each([
    ['output.metadata.date', { metadata: { date: 'yesterday' } }],
    ['output.metadata.url', { metadata: { url: 'file:///etc/passwd' } }],
    ['output.metadata.track', { metadata: { track: 'three' } }],
    ['output.metadata.title', { metadata: { title: 'x'.repeat(1001) } }],
    ['output.metadata.encoder', { metadata: { encoder: 'x' } }],
    ['output.cover.url', { cover: { url: 'data:image/png;base64,AA' } }],
    ['output.cover.requestOptions.headers.host', { cover: { url: 'https://cdn.example/a.jpg', ...header } }],
    ['output.chapters', { chapters: Array.from({ length: 1001 }, (_, start) => ({ start, title: '' })) }],
    ['output.chapters.0.start', { chapters: [{ start: -1, title: '' }] }],
    ['output.subtitles.0', { subtitles: [{ format: 'srt' }] }],
    ['output.subtitles.0', { subtitles: [{ url: 'https://cdn.example/', content: 'x', format: 'srt' }] }],
    ['output.subtitles.0.url', { subtitles: [{ url: 'ftp://cdn.example/', format: 'srt' }] }],
    ['output.subtitles.0.language', { subtitles: [{ content: 'x', format: 'srt', language: 'en_US!' }] }],
    ['output.subtitles.0.requestOptions', { subtitles: [{ content: 'x', format: 'srt', requestOptions: {} }] }],
    ['output.subtitles.0.format', { subtitles: [{ content: 'x', format: 'ass' }] }],
  ])('are rejected by the path of the wrong member: %s', (path, output) => {
    expect(fieldsOf(withOutput(output))).toContain(path);
  });

  test('of ten thousand chapters are rejected', () => {
    const chapters = Array.from({ length: 10_000 }, (_, start) => ({ start, title: 'x' }));
    expect(fieldsOf(withOutput({ chapters }))).toHaveLength(1);
  });
});

describe('the inputs', () => {
  test('of a slideshow are images and at most one sound', () => {
    expect(fieldsOf(slideshow)).toEqual([]);
    expect(fieldsOf({ ...slideshow, inputs: [image] })).toEqual([]);
    expect(fieldsOf({ ...slideshow, inputs: [input] })).toEqual(['inputs']);
    expect(fieldsOf({ ...slideshow, inputs: [image, input, input] })).toEqual(['inputs']);
    expect(fieldsOf({ ...slideshow, output: { ext: 'mp3' } })).toEqual(['output.ext']);
  });

  test('of join_streams may be subtitles, with at least one other', () => {
    const subtitles = { url: 'https://cdn.example/a.srt', ext: 'srt', language: 'de' };
    const join = (inputs: object[]) => ({ ...valid, inputs, operation: { type: 'join_streams' } });
    expect(parseJob(join([input, subtitles])).inputs[1]?.language).toBe('de');
    expect(fieldsOf(join([subtitles]))).toEqual(['inputs']);
    expect(fieldsOf({ ...valid, inputs: [subtitles] })).toEqual(['inputs.0.ext']);
  });
});

test('a pattern is explained in words', () => {
  const body = withOutput({ metadata: { date: 'x' }, subtitles: [{ content: 'x', format: 'srt', language: '?' }] });
  expect(() => parseJob(body)).toThrow(/must be a date such as 2026.*must be a language tag/);
});

test('any additions are accepted or rejected, without any other error', () => {
  const member = fc.jsonValue();
  fc.assert(
    fc.property(member, member, member, member, member, (metadata, cover, chapters, subtitles, clip) => {
      fieldsOf({ ...valid, clip, output: { ext: 'mp4', metadata, cover, chapters, subtitles } });
    }),
    { seed: 4, numRuns: 300 },
  );
});
