import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { downloadInputs } from './download-inputs.ts';
import { createBytes, download, hash } from './testing/downloads.ts';
import { runHealable, serveLinks } from './testing/healable-run.ts';
import { type RequestHandler, serveRanges } from './testing/origin.ts';

const binary = createBytes(1000);

/** Downloads a file that the job stores unchanged. */
const fetchUnchanged = (serve: RequestHandler, ext: string) =>
  download({ '/a': serve }, [{ url: '/a', ext }], { operation: { type: 'no_process' }, output: { ext } });

/** Returns a handler that sends a body with a content type, if there is one. */
function respondWithType(body: string | Buffer, type?: string): RequestHandler {
  return (_request, response) => {
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
  };
}

describe('a media file that is stored unchanged', () => {
  test.each([
    ['a web page', '<html/>', 'application/xhtml+xml; charset=utf-8'],
    ['a web page', '<!DOCTYPE html><html>Sign in</html>', undefined],
    ['a web page', '\ufeff\n<HTML>Sign in</HTML>', 'video/mp4'],
    ['a JSON document', '{"error":"expired"}', 'application/json'],
    ['a JSON document', '{"title":"expired"}', 'application/problem+json'],
    ['an XML document', '<?xml version="1.0"?><Error/>', 'text/xml'],
    ['text', '<Error><Code>SlowDown</Code></Error>', 'application/xml'],
    ['text', 'Too many requests', 'text/plain'],
    ['text', 'Rate limit exceeded', 'application/octet-stream'],
  ])('is refused if it is %s: %s (%s)', async (what, body, type) => {
    await expect(fetchUnchanged(respondWithType(body, type), 'mp4')).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringMatching(`^Input 1: .* returned ${what} instead of media\\. Request new source links`),
      input: 0,
    });
  });

  test('is refused if it arrives in ranges', async () => {
    const page = Buffer.from(`<html>${'Sign in. '.repeat(300_000)}</html>`);
    await expect(fetchUnchanged(serveRanges(page), 'mp3')).rejects.toMatchObject({ code: 'source_refused' });
  });

  test.each([
    ['a short text', 'Link expired'],
    ['a text in many ranges', 'Link expired. '.repeat(200_000)],
  ])('is fetched from a new link if its link returns %s', async (_name, text) => {
    const { handler } = serveLinks(binary, [{ body: Buffer.from(text) }]);
    const job = { operation: { type: 'no_process' } };
    const run = { handlers: { '/a': handler }, inputs: [{ url: '/a' }], job };
    const { result, error, replacements } = await runHealable(run, async ({ job, context }) => {
      const [input] = await downloadInputs(job, context);
      return hash(await readFile(input?.files[0]?.parts[0]?.path ?? ''));
    });
    expect([error, result]).toEqual([undefined, hash(binary)]);
    expect(replacements).toHaveLength(1);
  });

  test.each(['text/plain', 'application/json'])('is accepted with any content if its type is %s', async (type) => {
    const { files } = await fetchUnchanged(respondWithType(binary, type), 'ts');
    expect(hash(files[0])).toBe(hash(binary));
  });
});

test.each(['srt', 'vtt', 'json', 'xml', 'txt', 'mpd', 'html'])(
  'a file with the extension %s may contain text',
  async (ext) => {
    const text = Buffer.from('<!doctype html>the text');
    const { files } = await fetchUnchanged(respondWithType(text, ext === 'html' ? 'text/html' : 'text/plain'), ext);
    expect(files[0]).toEqual(text);
  },
);
