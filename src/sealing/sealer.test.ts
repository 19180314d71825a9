import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer } from './sealer.ts';

const sealer = createSealer(['the first secret of the tests']);

test('a sealer opens any JSON data that it sealed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(sealer.open('page-token', sealer.seal('page-token', data))).toEqual(JSON.parse(JSON.stringify(data)));
    }),
    { seed: 1 },
  );
});

test('a sealer rejects altered, truncated and made-up texts', () => {
  const sealed = Buffer.from(sealer.seal('execution-url', { a: 'some data that is sealed' }), 'base64url');
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed);
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
    expect(sealer.open('execution-url', altered.toString('base64url'))).toBeUndefined();
    expect(sealer.open('execution-url', sealed.subarray(0, index).toString('base64url'))).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(sealer.open('execution-url', text)).toBeUndefined();
    }),
    { seed: 1 },
  );
});

test('a sealer opens a text for its original purpose only', () => {
  expect(sealer.open('file-link', sealer.seal('execution-url', 1))).toBeUndefined();
});

test('a sealer never seals the same data identically, and hides the data', () => {
  expect(sealer.seal('file-link', 'same')).not.toBe(sealer.seal('file-link', 'same'));
  expect(Buffer.from(sealer.seal('file-link', 'same'), 'base64url').includes('same')).toBe(false);
});

test('a sealer opens texts of a replaced secret, but not of an unknown one', () => {
  const old = sealer.seal('file-link', 'old');
  expect(createSealer(['a second secret of the tests', 'the first secret of the tests']).open('file-link', old)).toBe(
    'old',
  );
  expect(createSealer(['a second secret of the tests']).open('file-link', old)).toBeUndefined();
});
