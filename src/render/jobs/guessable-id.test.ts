import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withId } from '#client/renders/job-target.ts';
import { looksGuessable } from './guessable-id.ts';

test.each([
  'a',
  'test',
  'video-1',
  'job:42',
  'my-first-job-4f1c',
  'MyFirstVideo',
  'correct-horse-battery-staple',
  'user42-video7-720p-v2',
  'show-S01E02-1080p60',
  'render:user:42:final.v2',
  '2026-11-21',
  '2026-11-21T12:00:00Z',
  '20261121T120000',
  'film-2026-11-21T10h30m15s',
  '1763726400',
  '1763726400123456789',
  '19aa6f3c7b8',
  '84720193847561029384',
  'a'.repeat(128),
  'ab'.repeat(64),
  'a1'.repeat(64),
  'abc123'.repeat(20),
  'deadbeefdeadbeef',
  '0123456789abcdef',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-4000-8000-000000000001',
  '...',
  ':-_.',
])('reports %s as guessable', (id) => expect(looksGuessable(id)).toBe(true));

test.each([
  '7d3f9a52-1c8e-4b06-9f27-3a5be0d4c812',
  'p1-7D3F9A52-1C8E-4B06-9F27-3A5BE0D4C812',
  'job-f81d4fae7dec11d0a76500a0c91e6bf6',
  '01JD9ZK3V5W8XQ2R7T4M6N1P0B',
  'V1StGXR8_Z5jdHi6B-myT',
  'video:tz4a98xxat96iws9zmbrgj3a',
  '9f2c4b7e1a8d3056',
  'user-42-9f2c4b7e1a8d3056',
  'q8Zt3LxN7bVw2KdR',
])('does not report %s as guessable', (id) => expect(looksGuessable(id)).toBe(false));

test('does not report IDs created by the client library', () => {
  const job = { inputs: [], output: { ext: 'mp4' }, operation: { type: 'join_streams' } } as const;
  for (let count = 0; count < 50; count += 1) expect(looksGuessable(withId({ ...job, inputs: [] }).id)).toBe(false);
});

/**
 * Returns random characters from a seed, so that they are the same in every run. All characters are equally likely,
 * unlike those of fast-check, which repeat.
 */
function random(alphabet: string, length: number): (seed: number) => string {
  return (seed) => {
    const bytes = createHash('shake256', { outputLength: length * 2 })
      .update(`${seed}`)
      .digest();
    return Array.from({ length }, (_, index) => alphabet[bytes.readUInt16LE(index * 2) % alphabet.length]).join('');
  };
}
const digits = '0123456789';
const hex = `${digits}abcdef`;
const letters = 'abcdefghijklmnopqrstuvwxyz';

test.each([
  ['UUID', (seed: number) => random(hex, 32)(seed).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), 0],
  ['16 hexadecimal digits', random(hex, 16), 0.02],
  ['16 letters and digits', random(digits + letters + letters.toUpperCase(), 16), 0.02],
  ['16 characters of base64url', random(`${digits}${letters}${letters.toUpperCase()}-_`, 16), 0.08],
  ['21 characters of nanoid', random(`${digits}${letters}${letters.toUpperCase()}-_`, 21), 0.04],
  ['ULID', random('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26), 0.02],
] as const)('hardly ever reports a random %s as guessable', (_name, ids, most) => {
  const sample = Array.from({ length: 2_000 }, (_, seed) => ids(seed));
  expect(sample.filter(looksGuessable).length / sample.length).toBeLessThanOrEqual(most);
});

test('always reports counters and words as guessable', () => {
  const word = fc.stringMatching(/^[A-Z]?[a-z]{1,20}$/);
  const part = fc.oneof(
    word,
    fc.nat().map(String),
    fc.tuple(word, fc.nat()).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('-', '_', '.', ':'),
      (parts, between) => {
        expect(looksGuessable(parts.join(between))).toBe(true);
      },
    ),
    { seed: 9 },
  );
});
