import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadInputs } from './download-inputs.ts';
import { makeFilm } from './excerpt/testing/make-film.ts';
import { download, hash, MIB } from './testing/downloads.ts';
import { runHealable, serveLinks } from './testing/healable-run.ts';
import { rangeOf, serveRanges } from './testing/origin.ts';

const clip = { start: 102, end: 132 };

let film: Buffer;
/** The hash of the excerpt for the clip. */
let digest: string;
beforeAll(async () => {
  film = makeFilm();
  const { files } = await download({ '/a': serveRanges(film) }, [{ url: '/a' }], { clip });
  digest = hash(files[0]);
});
afterAll(() => {
  film = Buffer.alloc(0);
});

describe('an excerpt', () => {
  test.each([
    ['its index', 200_000],
    ['its media', MIB],
  ])('continues through a new link if the link dies in %s', async (_what, bytes) => {
    const file = serveLinks(film, [{ bytes }]);
    const { result, error, replacements } = await runHealable(
      { handlers: { '/a': file.handler }, inputs: [{ url: '/a' }], job: { clip } },
      async ({ job, context }) => {
        const [input] = await downloadInputs(job, context);
        return hash(await readFile(input?.files[0]?.parts[0]?.path ?? ''));
      },
    );
    expect([error, result]).toEqual([undefined, digest]);
    expect(replacements).toHaveLength(1);
  });

  test('is planned again if the file changes during the download', async () => {
    let requests = 0;
    const { files } = await download(
      {
        '/a': (request, response) => {
          requests += 1;
          const { from, to } = rangeOf(request, film.length) ?? { from: 0, to: film.length - 1 };
          response.writeHead(206, {
            etag: requests <= 3 ? '"1"' : '"2"',
            'content-range': `bytes ${from}-${to}/${film.length}`,
            'content-length': to - from + 1,
          });
          response.end(film.subarray(from, to + 1));
        },
      },
      [{ url: '/a' }],
      { clip },
    );
    expect(hash(files[0])).toBe(digest);
  });
});
