import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLinkList } from './link-list.ts';

const { signal } = new AbortController();
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-links-'));
  path = join(folder, 'links.txt');
});

afterEach(() => rm(folder, { recursive: true }));

async function* input(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('has a link on each line, without comments and empty lines', async () => {
  await writeFile(path, '\uFEFF# mine\r\nhttps://youtu.be/a\r\n\n  lab-plain30  \n#x\nlast');
  expect(await readLinkList(path, input(), signal)).toEqual(['https://youtu.be/a', 'lab-plain30', 'last']);
});

test('is read from standard input, even if a character is split between chunks', async () => {
  const chunks = Buffer.from('search:né\nx');
  async function* bytes() {
    for (const byte of chunks) yield Buffer.from([byte]);
  }
  expect(await readLinkList('-', bytes(), signal)).toEqual(['search:né', 'x']);
});

test('is refused if it is too long or does not exist', async () => {
  await expect(readLinkList('-', input('x\n'.repeat(10_001)), signal)).rejects.toThrow(
    'standard input lists 10001 links',
  );
  const huge = Array.from({ length: 5 }, () => 'x'.repeat(1024 * 1024));
  await expect(readLinkList('-', input(...huge), signal)).rejects.toThrow('longer than 4 MB');
  await expect(readLinkList(path, input(), signal)).rejects.toThrow('links.txt');
});
