import { describe, expect, it } from 'vitest';
import { changedHeaders, headerChanges } from './request-headers.ts';

describe('headerChanges', () => {
  it('reads headers of any name and returns lower-case names', () => {
    expect(headerChanges({ 'X-New': '1', referer: '' }, 'headers')).toEqual({ 'x-new': '1', referer: '' });
  });

  it.each([
    'Cookie',
    'authorization',
    'Host',
    'User-Agent',
    'Content-Length',
    'X-Forwarded-For',
    'Proxy-Authorization',
  ])('rejects %s', (name) => {
    expect(() => headerChanges({ [name]: 'a' }, 'headers')).toThrow(
      `must not have ${name.toLowerCase()} in headers: headers cannot change it`,
    );
  });

  it.each([
    [{ 'x y': 'a' }, 'contains the unknown member headers.x y'],
    [{ 'x:': 'a' }, 'contains the unknown member headers.x:'],
    [{ x: 'a\r\nb: c' }, 'has an invalid headers.x: it must be at most 500 visible ASCII characters'],
    [{ x: 'ä' }, 'has an invalid headers.x'],
    [{ x: 'a'.repeat(501) }, 'has an invalid headers.x'],
    [{ x: 1 }, 'has an invalid headers.x'],
    [[], 'must have an object as headers'],
  ])('rejects %j', (value, message) => {
    expect(() => headerChanges(value, 'headers')).toThrow(message);
  });
});

describe('changedHeaders', () => {
  it('adds headers, replaces built-in ones, and removes those with an empty text', () => {
    expect(changedHeaders({ a: '1', b: '2', c: '3' }, { b: '4', c: '', d: '5' })).toEqual({ a: '1', b: '4', d: '5' });
  });
});
