import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readZip } from '../../../../test/support/zip.ts';

Object.assign(globalThis, { location: { href: 'https://page.example/', origin: 'https://page.example' } });
const { createArchive } = await import('./zip-archive.ts');

const content = 'whole file';

/** Responds with a file of which the service states another size: not whole, or not that file. */
const responses: Readonly<Record<string, () => Response>> = {
  '/whole': () => new Response(content, { headers: { 'content-length': String(content.length) } }),
  '/without-size': () => new Response(content),
  '/shorter': () => new Response(content, { headers: { 'content-length': '9' } }),
  '/part': () => new Response(content, { status: 206, headers: { 'content-range': 'bytes 0-9/20' } }),
  '/more-than-4-gib': () => new Response(content, { headers: { 'content-length': String(5 * 1024 ** 3) } }),
  '/error': () => new Response(content, { status: 404 }),
};
const seen = new Set<string>();
vi.stubGlobal('fetch', async (input: URL) => {
  const isFirst = !seen.has(input.href);
  seen.add(input.href);
  return isFirst ? responses[input.pathname]?.() : new Response('', { status: 410 });
});

let nextId = 0;
const entry = (path: string, name = '1 a.mp4', size?: number) => ({
  name,
  open: async () => ({ url: `https://page.example${path}?${nextId++}`, ...(size === undefined ? {} : { size }) }),
});
const create = async (entries: readonly ReturnType<typeof entry>[], maxBytes?: number) => {
  const archive = await createArchive(entries, () => undefined, maxBytes);
  return readZip(new Uint8Array(await archive.arrayBuffer()));
};

describe('an archive', () => {
  test('contains each file whole, with its checksum', async () => {
    const entries = await create([entry('/whole', '1 a.mp4', content.length), entry('/whole', '2 b')]);
    expect(entries.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([
      ['1 a.mp4', content],
      ['2 b', content],
    ]);
  });

  test.each([
    ['/shorter', undefined],
    ['/without-size', undefined],
    ['/part', undefined],
    ['/more-than-4-gib', undefined],
    ['/error', undefined],
    ['/whole', 9],
    ['/whole', 11],
    ['/whole', 5 * 1024 ** 3],
  ])('is not made if a file is not whole: %s, of which the service states %s bytes', async (path, size) => {
    const entries = [entry('/whole'), entry(path, '2 b.mp4', size), entry('/whole')];
    await expect(create(entries)).rejects.toMatchObject({ name: 'ArchiveError', index: 1 });
  });

  test('is not made if it would need more bytes or files than every program reads', async () => {
    await expect(create([entry('/whole'), entry('/whole')], 120)).rejects.toMatchObject({ name: 'ArchiveError' });
    const none = { name: '1', open: () => Promise.reject(new Error('opened')) };
    const many = Array.from({ length: 65_535 }, () => none);
    await expect(create(many)).rejects.toThrow(RangeError);
    await expect(create(many.slice(1))).rejects.toMatchObject({ cause: { message: 'opened' } });
  });

  test.each([
    ['1 ../../etc/passwd.mp4', '1 .._.._etc_passwd.mp4'],
    ['1 ..\\..\\a.exe', '1 .._.._a.exe'],
    ['1 C:\\a.MP4', '1 C__a.mp4'],
    ['/1 a.mp4', '_1 a.mp4'],
    ['1 a\u202e4pm.exe', '1 a4pm.exe'],
    ['1 a\0\r\n\u2028b.mp4', '1 ab.mp4'],
    ['..', 'Millrace'],
    ['', 'Millrace'],
    ['NUL.mp4', '_NUL.mp4'],
  ])('stores %j as %j', async (name, stored) => {
    expect((await create([entry('/whole', name)])).map((one) => one.name)).toEqual([stored]);
  });

  test('cuts names that its headers could not hold', async () => {
    const [only] = await create([entry('/whole', `1 ${'a'.repeat(70_000)}.mp4`)]);
    expect(only?.name).toBe(`1 ${'a'.repeat(174)}.mp4`);
  });
});

test('names that begin with their number are different files on every file system, whatever sites name them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 2, maxLength: 8 }),
      async (texts) => {
        const entries = await create(texts.map((text, index) => entry('/whole', `${index + 1} ${text}`)));
        const names = entries.map(({ name }) => name.normalize('NFKC').toLowerCase());
        expect(new Set(names).size).toBe(texts.length);
        for (const { name } of entries) {
          expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}]+$/u);
          expect(name).not.toMatch(/[. ]$|[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/);
          expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(180);
        }
      },
    ),
    { seed: 51, numRuns: 8 },
  );
});
