import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { ebmlIds, segmentElements } from '../binary/ebml.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.mp4', 'v.mp4', 'a.m4a', 'av.ts', 'a.webm', 'a.mp3', 'av.mkv');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns the languages of the audio of a result, and the tag that an MP4 or Matroska file states besides its code. */
async function languagesIn(inputs: readonly (readonly [name: string, language?: string])[], ext: OutputContainer) {
  const engineInputs = inputs.map(([name, language]) => {
    return { path: media.file(name), ...(language === undefined ? {} : { language }) };
  });
  const { path, report } = await processAndVerify(engine, media, { inputs: engineInputs, ext, type: 'join_streams' });
  expect(report.notes).toEqual([]);
  const { streams } = await describeMedia(path);
  const tag = /(?:elng\0{4}|\x22\xb5\x9d.)([A-Za-z-]+)/.exec(readFileSync(path, 'latin1'))?.[1];
  const languages = streams.filter(({ kind }) => kind === 'audio').map(({ metadata: { language } }) => language);
  return { languages, tag };
}

describe('the language of an input', () => {
  it('is that of its audio, on the fast path for MP4 files', async () => {
    expect(await languagesIn([['v.mp4'], ['a.m4a', 'de'], ['a.m4a', 'gsw']], 'mp4')).toEqual({
      languages: ['deu', 'gsw'],
      tag: undefined,
    });
  });

  it.each(['av.mp4', 'av.ts'])('is stated as a whole if it has a region, on the fast path for %s', async (name) => {
    expect(await languagesIn([[name, 'pt-BR']], 'mp4')).toEqual({ languages: ['por'], tag: 'pt-BR' });
  });

  it('is that of audio that the media library copies', async () => {
    expect(await languagesIn([['av.mp4', 'de']], 'mkv')).toMatchObject({ languages: ['deu'] });
    const brazilian = { languages: ['por'], tag: 'pt-BR' };
    expect(await languagesIn([['av.mp4', 'pt-BR']], 'mkv')).toEqual(brazilian);
    expect(await languagesIn([['a.webm', 'pt-BR']], 'webm')).toEqual({ languages: ['pt-BR'], tag: undefined });
    expect(await languagesIn([['a.webm', 'pt-BR']], 'mp4')).toEqual(brazilian);
    expect(await languagesIn([['a.mp3', 'pt-BR']], 'mov')).toEqual(brazilian);
    expect(await languagesIn([['av.mkv'], ['a.webm', 'de'], ['a.webm', 'pt-BR']], 'mp4')).toMatchObject({
      languages: ['und', 'deu', 'por'],
      tag: 'pt-BR',
    });
    expect(await languagesIn([['a.webm', 'de']], 'mp4')).toEqual({ languages: ['deu'], tag: undefined });
  });

  it('is that of subtitles that the job adds', async () => {
    writeFileSync(media.file('one.srt'), '1\n00:00:00,500 --> 00:00:02,000\nUm\n');
    const subtitles = { addition: 0, format: 'srt', default: false } as const;
    const inputs = [{ path: media.file('av.mp4') }, { path: media.file('one.srt'), language: 'pt-BR', subtitles }];
    const { path } = await processAndVerify(engine, media, { inputs, ext: 'mp4' });
    const { streams } = await describeMedia(path);
    expect(streams.find(({ kind }) => kind === 'subtitle')?.metadata).toMatchObject({ language: 'por' });
    expect(readFileSync(path, 'latin1')).toContain('elng\0\0\0\0pt-BR\0');
  });

  it.each<[OutputContainer, OutputContainer]>([
    ['mp4', 'mp4'],
    ['mp4', 'mkv'],
    ['mkv', 'mkv'],
    ['mkv', 'mp4'],
    ['mkv', 'mov'],
  ])('is kept with its region when a result is copied again, from %s to %s', async (from, to) => {
    await languagesIn([['av.mp4', 'pt-BR']], from);
    renameSync(media.file(`result.${from}`), media.file(`brazilian.${from}`));
    expect(await languagesIn([[`brazilian.${from}`]], to)).toEqual({ languages: ['por'], tag: 'pt-BR' });
  });

  it('keeps the checksum of the tracks of a Matroska file', async () => {
    await languagesIn([['av.mp4', 'pt-BR']], 'mkv');
    const file = readFileSync(media.file('result.mkv'));
    const [tracks] = [
      ...segmentElements({ size: file.length, read: (at, length) => file.subarray(at, at + length) }),
    ].filter(({ id }) => id === ebmlIds.tracks);
    const body = file.subarray(tracks?.dataOffset, (tracks?.dataOffset ?? 0) + (tracks?.size ?? 0));
    expect(body.subarray(0, 2)).toEqual(Buffer.of(0xbf, 0x84));
    expect(body.readUInt32LE(2)).toBe(crc32(body.subarray(6)));
  });

  it('is the one that newer players read if a Matroska file states two', async () => {
    await languagesIn([['av.mp4', 'pt-BR']], 'mkv');
    const file = readFileSync(media.file('result.mkv'));
    file.write('und', file.indexOf(Buffer.from('22b59c83706f72', 'hex')) + 4, 'latin1');
    writeFileSync(media.file('two.mkv'), file);
    expect(await languagesIn([['two.mkv']], 'mp4')).toEqual({ languages: ['por'], tag: 'pt-BR' });
    expect(await languagesIn([['two.mkv']], 'ts')).toMatchObject({ languages: ['por'] });
  });
});
