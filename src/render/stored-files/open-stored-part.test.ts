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

/** Opens the part in a store whose `read` is this one. */
function open(read: Storage['read'], signal = new AbortController().signal) {
  return openStoredPart({ read }, 'key', part, signal, limits);
}

/** A stream that begins with this text, and stays open. */
function openEnded(text: string): Readable {
  const stream = new Readable({ read: () => undefined });
  if (text !== '') stream.push(text);
  return stream;
}

test('a part comes as the store sends it', async () => {
  const stream = await open(async () => Readable.from([Buffer.from('01234'), Buffer.from('56789')]));
  expect((await buffer(stream)).toString()).toBe('0123456789');
});

test.each(['01234', '0123456789a'])('%s instead of ten bytes ends as an error, not as the file', async (text) => {
  const reading = open(async () => Readable.from([Buffer.from(text)])).then(buffer);
  await expect(reading).rejects.toThrow();
});

test('a store that never answers is unavailable, and a stream that it opens later is closed', async () => {
  const opening = Promise.withResolvers<Readable>();
  await expect(open(() => opening.promise)).rejects.toMatchObject({ code: 'service_unavailable' });
  const late = openEnded('0');
  opening.resolve(late);
  await opening.promise;
  expect(late.destroyed).toBe(true);
});

test('so is one that opens the file and sends nothing of it', async () => {
  const source = openEnded('');
  await expect(open(async () => source)).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect.poll(() => source.destroyed).toBe(true);
});

test('so is one that fails', async () => {
  const failing = open(async () => Promise.reject(new Error('InternalError')));
  await expect(failing).rejects.toMatchObject({ code: 'service_unavailable', cause: { message: 'InternalError' } });
});

test.each([
  ['a second link', new UnsafeFileError('/files/key', 'has 2 links instead of one'), /one link/],
  ['a damaged disk', Object.assign(new Error('i/o error'), { code: 'EIO' }), /disk/],
])('a file that cannot be read because of %s is not blamed on a silent store', async (_, cause, remedy) => {
  await expect(open(() => Promise.reject(cause))).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('cannot read this file'),
    cause: { message: expect.stringMatching(remedy), cause },
  });
});

test('a store that falls silent in the middle ends the stream', async () => {
  const source = openEnded('01234');
  const stream = await open(async () => source);
  await expect(buffer(stream)).rejects.toThrow('silent');
  await expect.poll(() => source.destroyed).toBe(true);
});

test('a slow reader is not taken for a silent store', async () => {
  const source = openEnded('01234');
  const stream = await open(async () => source);
  // Longer than the store may be silent, while five bytes wait for the reader.
  await sleep(5 * limits.silence);
  expect(stream.destroyed).toBe(false);
  source.push('56789');
  source.push(null);
  expect((await buffer(stream)).toString()).toBe('0123456789');
});

test.each([0, 5])('a reader may stop in the last chunk, though the end comes %i ms after it', async (late) => {
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
    AbortSignal.timeout(5_000),
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

test('a store that never ends its stream after the last byte is silent', async () => {
  const source = openEnded('0123456789');
  const stream = await open(async () => source);
  await expect(buffer(stream)).rejects.toThrow('silent');
  await expect.poll(() => source.destroyed).toBe(true);
});

test('a caller that disconnects closes the stream of a silent store', async () => {
  const source = openEnded('01234');
  const stream = await openStoredPart({ read: async () => source }, 'key', part, AbortSignal.timeout(5_000));
  stream.destroy();
  await expect.poll(() => source.destroyed).toBe(true);
});

test('a lost file is reported as lost', async () => {
  const error = missingFile('key');
  await expect(open(() => Promise.reject(error))).rejects.toBe(error);
});

test('a caller that disconnects aborts the opening with its own reason', async () => {
  const leaving = new AbortController();
  const opening = open(() => Promise.withResolvers<Readable>().promise, leaving.signal);
  const reason = new Error('the caller has left');
  leaving.abort(reason);
  await expect(opening).rejects.toBe(reason);
});
