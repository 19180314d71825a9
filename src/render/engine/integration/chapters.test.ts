import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { readChapters } from '../additions/read-chapters.ts';
import type { Chapter } from '../chapters/chapter.ts';
import type { Engine } from '../engine.ts';
import { flacBlockHeader, flacBlockHeaderBytes, flacBlockKinds } from '../tags/flac-blocks.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { cueSheetBlock } from '../testing/cue-sheet-block.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...([
      'av.ts',
      'rich.mp4',
      'rich.mkv',
      'rich.webm',
      'rich.mp3',
      'late-chapters.mkv',
      'data.ts',
      'data.mp4',
      'a.flac',
    ] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Carries out an operation and verifies the result. */
async function run(
  type: EngineOperation,
  ext: OutputContainer,
  inputs: readonly string[],
  copyStreams = true,
): Promise<ProcessReport> {
  return (await processAndVerify(engine, media, { inputs, ext, type, copyStreams })).report;
}

const demuxers: Partial<Record<OutputContainer, string>> = {
  ...{ mkv: 'matroska,webm', webm: 'matroska,webm', ogg: 'ogg', opus: 'ogg' },
  ...{ flac: 'flac', mp3: 'mp3', aac: 'aac' },
};

function chaptersIn(ext: OutputContainer): readonly Chapter[] {
  return readChapters(media.file(`result.${ext}`), demuxers[ext] ?? 'mov,mp4,m4a,3gp,3g2,mj2').chapters;
}

/** Writes a copy of a FLAC file at 44.1 kHz with a cue sheet of two tracks after its first block. */
function addCueSheet(source: string, target: string): void {
  const file = readFileSync(source);
  const sheet = cueSheetBlock([
    { number: 1, offset: 0, isrc: 'USRC17607839' },
    { number: 2, offset: 44_100, points: { 0: 0, 1: 22_050 } },
    { number: 170, offset: 176_400, points: {} },
  ]);
  const header = flacBlockHeader(flacBlockKinds.cueSheet, sheet.length, false);
  const firstBlockEnd = 4 + flacBlockHeaderBytes + 34;
  writeFileSync(target, Buffer.concat([file.subarray(0, firstBlockEnd), header, sheet, file.subarray(firstBlockEnd)]));
}

describe('chapters', () => {
  it.each<[EngineOperation, OutputContainer, MediaName, boolean]>([
    ['convert_format', 'mp4', 'rich.mp4', true],
    ['convert_format', 'mp4', 'rich.webm', true],
    ['convert_format', 'mov', 'rich.mkv', false],
    ['convert_format', 'mkv', 'rich.mp4', true],
    ['convert_format', 'webm', 'rich.webm', true],
    ['extract_audio', 'm4a', 'rich.mkv', true],
    ['extract_audio', 'aac', 'rich.mp4', true],
    ['convert_format', 'mp3', 'rich.mp3', true],
    ['extract_audio', 'ogg', 'rich.webm', true],
    ['extract_audio', 'opus', 'rich.mkv', false],
    ['extract_audio', 'flac', 'rich.mp4', false],
  ])('are preserved by %s into %s from %s (copied: %s)', async (type, ext, input, copyStreams) => {
    const { notes } = await run(type, ext, [input], copyStreams);
    const chapters = chaptersIn(ext);
    expect(chapters.map(({ title }) => title)).toEqual(['Beginning', 'Мир & 日本', '']);
    expect(chapters.map(({ start }) => Math.round(start * 10) / 10)).toEqual([0, 1.5, 3]);
    expect(notes.filter(({ code }) => code === 'chapters_left_out')).toEqual([]);
  });

  it.each<[EngineOperation, OutputContainer, boolean]>([
    ['convert_format', 'mkv', true],
    ['convert_format', 'mp4', true],
    ['convert_format', 'flac', true],
    ['convert_format', 'ogg', true],
    ['extract_audio', 'm4a', false],
    ['extract_audio', 'mp3', false],
    ['extract_audio', 'opus', false],
  ])('are the tracks of the cue sheet of a FLAC file (%s, %s, copied: %s)', async (type, ext, copyStreams) => {
    addCueSheet(media.file('a.flac'), media.file('cue-sheet.flac'));
    const { notes } = await run(type, ext, ['cue-sheet.flac'], copyStreams);
    expect(chaptersIn(ext)).toEqual([
      { start: 0, title: 'USRC17607839' },
      { start: expect.closeTo(1.5, 2), title: '' },
    ]);
    expect(notes.filter(({ code }) => code === 'chapters_left_out')).toEqual([]);
  });

  it('do not change the media of an MP4 file', async () => {
    await run('extract_video', 'mp4', ['rich.mp4']);
    const [before] = await readPackets(media.file('rich.mp4'));
    const [after] = await readPackets(media.file('result.mp4'));
    expect(after?.packets).toEqual(before?.packets);
  });

  it.each(['mp4', 'mkv'] as const)('move with the clock of a file that begins late (%s)', async (ext) => {
    await run('convert_format', ext, ['late-chapters.mkv']);
    expect(chaptersIn(ext)).toEqual([
      { start: 0, title: 'Beginning' },
      { start: expect.closeTo(2, 1), title: 'Middle' },
    ]);
  });

  it('come from the first of several inputs that has any', async () => {
    const { notes } = await run('join_streams', 'mkv', ['av.ts', 'rich.mp3', 'late-chapters.mkv']);
    expect(chaptersIn('mkv').map(({ title }) => title)).toEqual(['Beginning', 'Мир & 日本', '']);
    const message = 'The chapters of input 3 were left out: the chapters of an earlier input are used.';
    expect(notes).toContainEqual({ code: 'chapters_left_out', message, input: 2 });
  });

  it('that begin together are all in a Matroska file, and begin one after another', async () => {
    const starts = [0, 1, 1, 1, 2];
    const chapters = starts.map((start, at) => ({ start, title: `${at}` }));
    await processAndVerify(engine, media, { inputs: ['rich.mp4'], ext: 'mkv', output: { chapters } });
    const written = chaptersIn('mkv');
    expect(written.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title));
    expect(written.map(({ start }) => Math.round(start * 1e6) / 1e6)).toEqual([0, 1, 1.000_001, 1.000_002, 2]);
  });

  it('have a note if the container cannot store them', async () => {
    const { notes } = await run('extract_audio', 'wav', ['rich.mp3']);
    const message = 'The chapters of input 1 were left out: WAV cannot store them.';
    expect(notes).toContainEqual({ code: 'chapters_left_out', message, input: 0 });
  });
});

describe('attachments and data', () => {
  const cargo = async (ext: OutputContainer) => {
    const { streams } = await describeMedia(media.file(`result.${ext}`));
    return streams
      .filter(({ kind }) => kind === 'data' || kind === 'attachment')
      .map(({ codec, metadata }) => [codec, metadata.filename].join(' ').trim());
  };

  it('keep fonts in Matroska', async () => {
    await run('join_streams', 'mkv', ['rich.mkv']);
    expect(await cargo('mkv')).toEqual(['font/ttf font.ttf']);
    const { notes } = await run('convert_format', 'mp4', ['rich.mkv']);
    expect(await cargo('mp4')).toEqual([]);
    const message = 'The font/ttf attachment (input 1, stream 3) was left out: MP4 cannot store it.';
    expect(notes).toContainEqual({ code: 'stream_left_out', message, input: 0 });
  });

  it('keep data in containers that support it', async () => {
    await run('convert_format', 'ts', ['data.ts']);
    expect(await cargo('ts')).toEqual(['timed_id3', 'klv']);
    await run('convert_format', 'mov', ['data.mp4'], false);
    expect(await cargo('mov')).toEqual(['gpmd']);
  });
});
