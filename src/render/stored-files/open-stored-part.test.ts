import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import { missingFile } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { sleep } from '../../waiting/sleep.ts';
import { openStoredPart } from './open-stored-part.ts';

const part = { first: 0, last: 9, size: 10 };
const limits = { firstByte: 20, silence: 20 };

/** Opens the part in a store with this `read`. */
function open(read: Storage['read'], signal = new AbortController().signal) {
  return openStoredPart({ read }, 'key', part, signal, limits);
}

/** Returns a stream that starts with this text, and stays open. */
function openEnded(text: string): Readable {
  const stream = new Readable({ read: () => undefined });
  if (text !== '') stream.push(text);
  return stream;
}

test('streams a part from the store', async () => {
  const stream = await open(async () => Readable.from([Buffer.from('01234'), Buffer.from('56789')]));
  expect((await buffer(stream)).toString()).toBe('0123456789');
});

test.each(['01234', '0123456789a'])('fails if the store sends %s instead of ten bytes', async (text) => {
  const reading = open(async () => Readable.from([Buffer.from(text)])).then(buffer);
  await expect(reading).rejects.toThrow();
});

test('reports a store that never responds as unavailable, and closes a stream that it opens later', async () => {
  const opening = Promise.withResolvers<Readable>();
  await expect(open(() => opening.promise)).rejects.toMatchObject({ code: 'service_unavailable' });
  const late = openEnded('0');
  opening.resolve(late);
  await opening.promise;
  expect(late.destroyed).toBe(true);
});

test('reports a store that opens the file but sends no bytes as unavailable', async () => {
  const source = openEnded('');
  await expect(open(async () => source)).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect.poll(() => source.destroyed).toBe(true);
});

test('reports a store that fails as unavailable', async () => {
  const failing = open(async () => Promise.reject(new Error('InternalError')));
  await expect(failing).rejects.toMatchObject({ code: 'service_unavailable', cause: { message: 'InternalError' } });
});

test.each([
  ['a second link', new UnsafeFileError('/files/key', 'has 2 links instead of one'), /one link/],
  ['a damaged disk', Object.assign(new Error('i/o error'), { code: 'EIO' }), /disk/],
])(
  'distinguishes a file that cannot be read because of %s from a store that does not respond',
  async (_, cause, remedy) => {
    await expect(open(() => Promise.reject(cause))).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('cannot read this file'),
      cause: { message: expect.stringMatching(remedy), cause },
    });
  },
);

test('fails the stream of a store that stops sending in the middle', async () => {
  const source = openEnded('01234');
  const stream = await open(async () => source);
  await expect(buffer(stream)).rejects.toThrow('stopped sending');
  await expect.poll(() => source.destroyed).toBe(true);
});

test('does not treat a slow reader as a store that has stopped sending', async () => {
  const source = openEnded('01234');
  const stream = await open(async () => source);
  // This pause is longer than the store's timeout, while five bytes wait for the reader.
  await sleep(5 * limits.silence);
  expect(stream.destroyed).toBe(false);
  source.push('56789');
  source.push(null);
  expect((await buffer(stream)).toString()).toBe('0123456789');
});

test.each([0, 5])('allows a reader to stop in the last chunk if the end follows %i ms later', async (late) => {
  const bytes = Buffer.alloc(256 * 1024);
  const read = async () => {
    const source = openEnded('');
    source.push(bytes);
    setTimeout(() => source.push(null), late);
    return source;
  };
  const stream = await openStoredPart(
    { read },
    'key',
    { first: 0, last: bytes.length - 1, size: bytes.length },
    AbortSignal.timeout(60_000),
    limits,
  );
  const firstChunk = Promise.withResolvers<() => void>();
  const reader = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, callback) => firstChunk.resolve(callback),
  });
  const reading = pipeline(stream, reader);
  const resume = await firstChunk.promise;
  await sleep(5 * limits.silence);
  resume();
  await reading;
});

test('fails if the store never ends its stream after the last byte', async () => {
  const source = openEnded('0123456789');
  const stream = await open(async () => source);
  await expect(buffer(stream)).rejects.toThrow('stopped sending');
  await expect.poll(() => source.destroyed).toBe(true);
});

test('closes the stream of a stalled store when the caller disconnects', async () => {
  const source = openEnded('01234');
  const stream = await openStoredPart({ read: async () => source }, 'key', part, AbortSignal.timeout(60_000));
  stream.destroy();
  await expect.poll(() => source.destroyed).toBe(true);
});

test('reports a lost file as lost', async () => {
  const error = missingFile('key');
  await expect(open(() => Promise.reject(error))).rejects.toBe(error);
});

test("aborts opening with the caller's reason when the caller disconnects", async () => {
  const leaving = new AbortController();
  const opening = open(() => Promise.withResolvers<Readable>().promise, leaving.signal);
  const reason = new Error('the caller has left');
  leaving.abort(reason);
  await expect(opening).rejects.toBe(reason);
});
