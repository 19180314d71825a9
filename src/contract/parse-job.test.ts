import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OutputContainer, outputContainers } from './containers.ts';
import { MillraceError } from './errors.ts';
import { parseJob } from './parse-job.ts';

const input = { url: 'https://cdn.example/a.mp4', ext: 'mp4' };
const valid = { id: 'job-1', inputs: [input], output: { ext: 'mp4' }, operation: { type: 'convert_format' } };

function fieldsOf(body: unknown): string[] {
  return (errorOf(body)?.fields ?? []).map(({ path }) => path);
}

function errorOf(body: unknown): MillraceError | undefined {
  try {
    parseJob(body);
    return undefined;
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'invalid_body') throw error;
    return error;
  }
}

test('parseJob fills in every default', () => {
  expect(parseJob(valid)).toEqual({
    id: 'job-1',
    inputs: [
      {
        ...input,
        request: { method: 'GET', headers: {} },
        chunks: { concurrency: 4, type: 'header' },
        hlsConcurrency: 6,
        timeout: 120_000,
      },
    ],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format', copyStreams: true },
    ttl: 3_600_000,
    brackets: { downloading_inputs: [0, 50], processing: [50, 60], uploading_output: [60, 100] },
    inputSize: { perInput: 5_000_000_000, total: 5_000_000_000 },
  });
});

test("an input's own options take precedence over the job's", () => {
  const { inputs } = parseJob({
    ...valid,
    inputs: [{ ...input, timeout: 5_000, chunkDownload: { concurrency: 2 }, HLSPlaylistDownload: { concurrency: 9 } }],
    timeout: 9_000,
    chunkDownload: { concurrency: 7, type: 'query', size: 1_000_000 },
    HLSPlaylistDownload: { concurrency: 3 },
    requestOptions: { headers: { referer: 'https://a.example/' } },
  });
  expect(inputs[0]).toMatchObject({
    timeout: 5_000,
    chunks: { concurrency: 2, type: 'query', size: 1_000_000 },
    hlsConcurrency: 9,
    request: { method: 'GET', headers: { referer: 'https://a.example/' } },
  });
});

test('extensions are accepted in upper case and with a leading dot', () => {
  const { inputs, output } = parseJob({ ...valid, inputs: [{ ...input, ext: '.M3U8' }], output: { ext: '.MP4' } });
  expect([inputs[0]?.ext, output.ext]).toEqual(['m3u8', 'mp4']);
});

test('an empty downloadName counts as absent', () => {
  expect(parseJob({ ...valid, output: { ext: 'mp4', downloadName: '' } }).output).toEqual({ ext: 'mp4' });
});

describe('an invalid job description', () => {
  const wrong: [string, string, unknown][] = [
    ['no body', '', undefined],
    ['a list', '', []],
    ['no id', 'id', { ...valid, id: undefined }],
    ['an id of bad characters', 'id', { ...valid, id: 'a/b' }],
    ['an id too long', 'id', { ...valid, id: 'a'.repeat(129) }],
    ['an unknown member', 'zoom', { ...valid, zoom: 1 }],
    // Only sealed URLs state where links came from. Callers could otherwise have the service send requests to platforms.
    ['an origin', 'origin', { ...valid, origin: { platform: 'p1', endpoint: '/video/details', representations: [] } }],
    ['an exit', 'exit', { ...valid, exit: 'direct' }],
    ['an unknown member of an input', 'inputs.0.path', { ...valid, inputs: [{ ...input, path: '/etc' }] }],
    ['no inputs', 'inputs', { ...valid, inputs: [] }],
    ['too many inputs', 'inputs', { ...valid, inputs: [input, input] }],
    ['an input without url', 'inputs.0.url', { ...valid, inputs: [{ ext: 'mp4' }] }],
    ['a file url', 'inputs.0.url', { ...valid, inputs: [{ ...input, url: 'file:///etc/passwd' }] }],
    ['a url that is none', 'inputs.0.url', { ...valid, inputs: [{ ...input, url: 'concat:a|b' }] }],
    ['an ext with a dot', 'inputs.0.ext', { ...valid, inputs: [{ ...input, ext: '../a' }] }],
    ['an unknown container', 'output.ext', { ...valid, output: { ext: 'xyz' } }],
    ['an unknown operation', 'operation.type', { ...valid, operation: { type: 'explode' } }],
    [
      'copyStreams as text',
      'operation.copyStreams',
      { ...valid, operation: { type: 'convert_format', copyStreams: 'no' } },
    ],
    ['a ttl too short', 'ttl', { ...valid, ttl: 179_999 }],
    ['a ttl too long', 'ttl', { ...valid, ttl: 86_400_001 }],
    ['a timeout too short', 'timeout', { ...valid, timeout: 999 }],
    ['a concurrency of 11', 'chunkDownload.concurrency', { ...valid, chunkDownload: { concurrency: 11 } }],
    ['a chunk of a byte', 'chunkDownload.size', { ...valid, chunkDownload: { size: 1 } }],
    [
      'an input size over 5 GB',
      'limits.inputSize.total',
      { ...valid, limits: { inputSize: { total: 5_000_000_001 } } },
    ],
    [
      'brackets that overlap',
      'progressBrackets',
      {
        ...valid,
        progressBrackets: { downloading_inputs: [0, 60], processing: [50, 60], uploading_output: [60, 100] },
      },
    ],
    [
      'a line break in a header',
      'requestOptions.headers.x-a',
      { ...valid, requestOptions: { headers: { 'x-a': 'a\r\nb: c' } } },
    ],
    [
      'a header that frames the message',
      'requestOptions.headers.Host',
      { ...valid, requestOptions: { headers: { Host: 'a' } } },
    ],
    ['a body without POST', 'requestOptions.body', { ...valid, requestOptions: { body: 'a' } }],
    [
      'a playlist stored as it is',
      'inputs.0.ext',
      { ...valid, inputs: [{ ...input, ext: 'm3u8' }], operation: { type: 'no_process' } },
    ],
    ['a container named like a member of every object', 'output.ext', { ...valid, output: { ext: 'constructor' } }],
    ['one input to mix', 'inputs', { ...valid, operation: { type: 'mix_audio_and_video' } }],
  ];
  test.each(wrong)('is rejected with the path of the wrong member: %s', (_name, path, body) =>
    expect(fieldsOf(body)).toContain(path),
  );
});

describe('container limits', () => {
  const exts = Object.keys(outputContainers) as OutputContainer[];
  const job = (type: string, ext: string, count: number) => {
    return { ...valid, inputs: Array.from({ length: count }, () => input), output: { ext }, operation: { type } };
  };

  test.each(exts)('reject operations whose result %s cannot store', (ext) => {
    const { audioOnly, oneStream } = outputContainers[ext];
    const fault = (isRefused: boolean) => (isRefused ? ['output.ext'] : []);
    expect(fieldsOf(job('extract_video', ext, 1))).toEqual(fault(audioOnly));
    expect(fieldsOf(job('replace_audio_in_video', ext, 2))).toEqual(fault(audioOnly));
    expect(fieldsOf(job('mix_audio_and_video', ext, 2))).toEqual(fault(audioOnly));
    expect(fieldsOf(job('join_streams', ext, 2))).toEqual(fault(oneStream));
    for (const type of ['join_streams', 'convert_format', 'extract_audio']) {
      expect(fieldsOf(job(type, ext, 1))).toEqual([]);
    }
  });

  test('apply to the audio-only and single-stream containers', () => {
    const of = (member: 'audioOnly' | 'oneStream') => exts.filter((ext) => outputContainers[ext][member]);
    expect(of('audioOnly')).toEqual(['m4a', 'mp3', 'ogg', 'opus', 'wav', 'flac', 'aac']);
    expect(of('oneStream')).toEqual(['mp3', 'opus', 'wav', 'flac', 'aac']);
  });
});

test.each([
  ['convert_format', 2, 'must have exactly 1 entry for convert_format'],
  ['mix_audio_and_video', 1, 'must have exactly 2 entries for mix_audio_and_video'],
])('parseJob states how many inputs %s takes', (type, count, message) => {
  const body = { ...valid, inputs: Array.from({ length: count }, () => input), operation: { type } };
  expect(() => parseJob(body)).toThrow(expect.objectContaining({ fields: [{ path: 'inputs', message }] }));
});

test('parseJob reports several faults together', () => {
  expect(fieldsOf({ ...valid, id: '', ttl: 1 }).sort()).toEqual(['id', 'ttl']);
});

test('parseJob accepts or rejects any body and throws no other error', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({ id: fc.string(), inputs: fc.array(fc.jsonValue()), output: fc.jsonValue(), operation: fc.jsonValue() }),
    fc
      .jsonValue()
      .map((value) => ({ ...valid, ttl: value, requestOptions: { headers: value }, progressBrackets: value })),
  );
  fc.assert(
    fc.property(anything, (body) => {
      fieldsOf(body);
    }),
    { seed: 1 },
  );
});

describe('the error message', () => {
  test('truncates a long member name', () => {
    const error = errorOf({ ...valid, ['x'.repeat(20_000)]: 1 });
    expect(error?.message).toMatch(/x… is not a known member/);
    expect(JSON.stringify([error?.message, error?.fields]).length).toBeLessThan(1_000);
  });

  test('lists only the first of many faults', () => {
    const headers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, '\u0000']));
    const error = errorOf({ ...valid, requestOptions: { headers } });
    expect(error?.fields).toHaveLength(60);
    expect(error?.message).toMatch(/; and 50 more\.$/);
  });
});
