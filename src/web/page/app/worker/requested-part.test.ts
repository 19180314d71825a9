import { expect, test } from 'vitest';
import { requestedPart } from './requested-part.ts';

const scope = 'https://api.example/millrace/';
const shell = { version: '1', folder: 'assets/abc', files: ['src/web/page/main.ts', 'page.css'] };
const partOf = (path: string, { mode = 'cors', method = 'GET' }: { mode?: RequestMode; method?: string } = {}) =>
  requestedPart({ url: new URL(path, scope).href, mode, method }, scope, shell);

test('the worker responds only to requests for its own assets and for the document', () => {
  expect(partOf('assets/abc/src/web/page/main.ts')).toBe('asset');
  expect(partOf('assets/abc/page.css')).toBe('asset');
  for (const path of ['', '?q=dQw4w9WgXcQ', '?url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ#main']) {
    expect(partOf(path, { mode: 'navigate' })).toBe('document');
  }
});

test.each([
  'p1/v3/video/details?videoId=lab',
  'execute?order=x',
  'status',
  'health',
  'relay/x',
  'files/x/name.mp4',
  'docs',
  'about',
  'service-worker.js',
  'assets/old/page.css',
  'assets/abc/other.js',
  'assets/abc',
  '../',
  '../millrace',
  'https://other.example/millrace/',
  'https://other.example/millrace/assets/abc/page.css',
])('the worker leaves %s to the browser', (path) => {
  expect(partOf(path)).toBeUndefined();
  expect(partOf(path, { mode: 'navigate' })).toBeUndefined();
});

test('the worker leaves requests with other methods, and the document as data, to the browser', () => {
  expect(partOf('', { mode: 'navigate', method: 'POST' })).toBeUndefined();
  expect(partOf('assets/abc/page.css', { method: 'HEAD' })).toBeUndefined();
  expect(partOf('')).toBeUndefined();
});
