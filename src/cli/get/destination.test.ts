import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveDestination } from './destination.ts';

const one = { title: 'A film', ext: 'mp4', count: 1 };
const third = { title: 'A film', suffix: ' (3)', ext: 'jpg', count: 5 };

test.each([
  [undefined, one, 'A film.mp4'],
  [undefined, third, 'A film (3).jpg'],
  [tmpdir(), one, join(tmpdir(), 'A film.mp4')],
  ['not-there-yet/', third, join('not-there-yet', 'A film (3).jpg')],
  ['name.bin', one, 'name.bin'],
  ['-', one, '-'],
])('--output %s is resolved', async (output, file, path) => {
  expect((await resolveDestination(output)).pathOf(file)).toBe(path);
});

test.each([
  ['../../etc/passwd', '_.._etc_passwd.mp4'],
  ['a/b\\c', 'a_b_c.mp4'],
  ['\u202egpj.\u001b[2Jexe\u0000\n', 'gpj.[2Jexe.mp4'],
  ['...', 'millrace.mp4'],
  ['con', '_con.mp4'],
])('the title %j cannot change the folder', async (title, name) => {
  expect((await resolveDestination(undefined)).pathOf({ ...one, title })).toBe(name);
});

test('a long title does not cut off what distinguishes its files', async () => {
  const { pathOf } = await resolveDestination(undefined);
  const name = pathOf({ ...third, title: '映'.repeat(200) });
  expect([name.endsWith('映 (3).jpg'), Buffer.byteLength(name)]).toEqual([true, 179]);
});

test('several files need a folder', async () => {
  const destination = await resolveDestination('name.bin');
  expect(() => destination.pathOf(third)).toThrow('There are 5 files');
});
