/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaDirectory, type MediaName, makeMedia, mediaSeconds } from '../testing/test-media.ts';

const truncatedNames = [
  ...(['av.mp4', 'moov-last.mp4', 'fragmented.mp4', 'a.m4a', 'av.mkv', 'av.webm', 'a.webm'] as const),
  ...(['a.mp3', 'a.wav', 'a.flac'] as const),
];

let media: MediaDirectory;
const engine = createInProcessEngine();
beforeAll(async () => {
  media = await makeMedia(...truncatedNames, 'av.ts');
});
afterAll(() => media?.remove());

const signal = new AbortController().signal;

function convert(
  name: string,
  duration?: number,
  { by = engine, copyStreams = true, ext = 'mkv' }: { by?: Engine; copyStreams?: boolean; ext?: OutputContainer } = {},
) {
  return by.process(
    {
      directory: media.path,
      inputs: [{ path: media.file(name), ...(duration === undefined ? {} : { duration }) }],
      output: { path: media.file(`result.${ext}`), ext },
      operation: { type: 'convert_format', copyStreams },
      maxOutputBytes: 10_000_000,
    },
    { signal },
  );
}

const probe = (name: string) => {
  return engine.probe({ directory: media.path, path: media.file(name), ext: 'mp4' }, { signal });
};

/** Returns a truncated copy of a file. */
function cut(name: MediaName, part: number): string {
  const bytes = readFileSync(media.file(name));
  const path = `cut-${name}`;
  writeFileSync(media.file(path), bytes.subarray(0, Math.floor(bytes.length * part)));
  return path;
}

describe('a truncated file', () => {
  it.each(truncatedNames)('is detected both as an input and as a result: %s', async (name) => {
    const path = cut(name, 0.6);
    const incomplete = (subject: string) => ({
      code: 'input_incomplete',
      message: expect.stringMatching(new RegExp(`^${subject} (is cut short|ends at [\\d.]+ s of [\\d.]+ s): `)),
    });
    await expect(convert(path)).rejects.toMatchObject(incomplete('Input 1'));
    await expect(probe(path)).rejects.toMatchObject(incomplete('The file'));
  });

  it('is detected if its source declared a longer duration, even if the file declares none', async () => {
    const path = cut('av.ts', 0.6);
    await expect(convert(path, mediaSeconds)).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 ends at 2\.\d s of 4\.0 s: its source declared a longer duration/),
    });
    await expect(convert(path, 2)).resolves.toMatchObject({ streams: [{ codec: 'h264' }, { codec: 'aac' }] });
  });

  it('is detected by the declared duration if whole fragments are missing', async () => {
    const bytes = readFileSync(media.file('fragmented.mp4'));
    const fragments = [...bytes.toString('latin1').matchAll(/moof/g)].map(({ index }) => index - 4);
    expect(fragments.length).toBeGreaterThan(2);
    writeFileSync(media.file('short.mp4'), bytes.subarray(0, fragments[2]));
    await expect(convert('short.mp4')).resolves.toMatchObject({ duration: expect.closeTo(2, 0) });
    await expect(convert('short.mp4', mediaSeconds)).rejects.toMatchObject({ code: 'input_incomplete' });
  });

  it('is also detected when it is decoded', async () => {
    await expect(convert(cut('av.mkv', 0.6), undefined, { copyStreams: false })).rejects.toMatchObject({
      code: 'input_incomplete',
    });
  });

  it.each([
    ['accepted with 1.5 of 20 s missing', 20, 18.5, undefined],
    ['rejected with 2.5 of 20 s missing', 20, 17.5, 'input_incomplete'],
    ['rejected with 1.5 of 4 s missing', 4, 2.5, 'input_incomplete'],
  ])('is %s if it is an MP3 that declares too many frames', async (_what, expectedDuration, seconds, code) => {
    const bytes = readFileSync(media.file('a.mp3'));
    const at = bytes.indexOf('Info') + 8;
    const frames = (text: number) => Math.round((text * 44_100) / 1152);
    const whole = bytes.readUInt32BE(at);
    bytes.writeUInt32BE(frames(expectedDuration), at);
    const head = bytes.subarray(0, at + 400);
    // The frames themselves, all of the same length, repeated.
    const body = bytes.subarray(at + 400);
    const length = Math.round((body.length * frames(seconds)) / whole);
    const copies = Array.from({ length: 6 }, () => body);
    writeFileSync(media.file('counted.mp3'), Buffer.concat([head, Buffer.concat(copies).subarray(0, length)]));
    const done = convert('counted.mp3', undefined, { ext: 'mp3' });
    if (code === undefined) await expect(done).resolves.toMatchObject({ streams: [{ codec: 'mp3' }] });
    else await expect(done).rejects.toMatchObject({ code });
  });

  it('is accepted if its declared duration may have been rounded up', async () => {
    await expect(convert('av.ts', mediaSeconds + 0.9)).resolves.toBeDefined();
    await expect(convert('av.ts', mediaSeconds + 1.2)).rejects.toMatchObject({ code: 'input_incomplete' });
  });
});

describe('a file that is not media', () => {
  const notMedia =
    'Input 1 is not a readable video or audio file. ' + 'Check that the link points to a complete video or audio file.';

  it.each([
    ['nothing', '', 'Input 1 is empty.'],
    ['a web page', '\n<!DOCTYPE html><html>blocked</html>', 'Input 1 is a web page, not media.'],
    ['a JSON response', '{"error":"expired"}', 'Input 1 is a JSON document, not media.'],
    ['text', 'not found\n'.repeat(100), notMedia],
    ['subtitles', '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n', notMedia],
    ['zeros', '\0'.repeat(50_000), notMedia],
    ['only a header', '\0\0\0\x18ftypisom\0\0\0\0isommp41', notMedia],
  ])('is refused with a clear message: %s', async (_what, text, message) => {
    writeFileSync(media.file('other.mp4'), text, 'latin1');
    await expect(convert('other.mp4')).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining(message),
    });
  });
});

describe('a disguised playlist', () => {
  const neighbour = () => media.file('av.ts');
  let confined: Engine;
  beforeAll(() => {
    confined = createEngine({ directory: media.path, spares: 2, processTimeout: 20_000 });
  });
  afterAll(() => confined?.close());

  it.each([
    ['HLS', () => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${neighbour()}\n#EXT-X-ENDLIST\n`],
    ['HLS that names a neighbour', () => '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nav.ts\n#EXT-X-ENDLIST\n'],
    ['HLS after a byte order mark', () => `\ufeff#EXTM3U\n#EXTINF:4,\n${neighbour()}\n#EXT-X-ENDLIST\n`],
    ['a list of files', () => `ffconcat version 1.0\nfile '${neighbour()}'\n`],
    ['DASH', () => `<?xml version="1.0"?><MPD><BaseURL>${neighbour()}</BaseURL></MPD>`],
    ['a DASH manifest without a prologue', () => `<MPD><BaseURL>${neighbour()}</BaseURL></MPD>`],
    ['SDP', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n'],
    ['an image list', () => '%03d.png'],
  ])('does not open any other file: %s', async (_what, text) => {
    for (const name of ['list.mp4', 'list.m3u8']) {
      writeFileSync(media.file(name), text());
      await expect(convert(name, undefined, { by: confined })).rejects.toMatchObject({ code: 'input_unreadable' });
    }
  });
});
