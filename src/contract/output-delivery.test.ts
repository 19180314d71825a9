import { describe, expect, test } from 'vitest';
import type { MillraceError } from './errors.ts';
import { parseJob } from './parse-job.ts';

const putUrl = 'https://bucket.example/film.mp4?signature=1';
const parse = (output: object) =>
  parseJob({
    id: 'one',
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4', ...output },
    operation: { type: 'convert_format' },
  }).output.delivery;

describe('a delivery', () => {
  test('is absent without a URL', () => {
    expect(parse({})).toBeUndefined();
    expect(parse({ keep: true })).toBeUndefined();
  });

  test('keeps the file by default', () => {
    expect(parse({ putUrl })).toEqual({ url: putUrl, headers: {}, keep: true });
  });

  test('takes headers of every store, and Authorization', () => {
    const putHeaders = {
      'Content-Type': 'video/mp4',
      'x-amz-acl': 'private',
      'x-ms-blob-type': 'BlockBlob',
      Authorization: 'a',
    };
    expect(parse({ putUrl, putHeaders, keep: false })).toEqual({ url: putUrl, headers: putHeaders, keep: false });
  });

  test.each([
    ['a URL of another scheme', { putUrl: 'ftp://bucket.example/film' }, 'output.putUrl'],
    ['a URL with a password', { putUrl: 'https://me:secret@bucket.example/film' }, 'output.putUrl'],
    ['headers without a URL', { putHeaders: {} }, 'output.putHeaders'],
    ['keep: false without a URL', { keep: false }, 'output.keep'],
    ['a length', { putUrl, putHeaders: { 'Content-Length': '1' } }, 'output.putHeaders.Content-Length'],
    ['a host', { putUrl, putHeaders: { host: 'other.example' } }, 'output.putHeaders.host'],
    ['an encoding', { putUrl, putHeaders: { 'content-encoding': 'gzip' } }, 'output.putHeaders.content-encoding'],
    ['a header with a line break', { putUrl, putHeaders: { 'x-a': 'a\r\nb: c' } }, 'output.putHeaders.x-a'],
    ['an invalid header name', { putUrl, putHeaders: { 'x a': '1' } }, 'output.putHeaders'],
  ])('is invalid with %s', (_name, output, path) => {
    expect(() => parse(output)).toThrow(
      expect.objectContaining<Partial<MillraceError>>({
        code: 'invalid_body',
        fields: [expect.objectContaining({ path })],
      }),
    );
  });
});
