import { createHash } from 'node:crypto';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { receiptStatementSchema } from '../../contract/receipt.ts';
import { receiptStatement } from './receipt-statement.ts';
import type { AddedFiles } from './result-evidence.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const file = { bytes: 3, sha256: sha256('abc') };

/** Where a job came from, and what was seen when it ran. */
interface Facts {
  readonly item?: ItemOrigin;
  readonly addedFiles?: AddedFiles;
  readonly notes?: readonly OutputNote[];
  readonly test?: boolean;
}

function stateJob(members: object, { item, addedFiles, notes = [], test: isTest = false }: Facts = {}) {
  const job = parseJob({
    id: 'job',
    inputs: [{ url: 'https://cdn-paris.example/v?token=secret', ext: 'mp4', language: 'de' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ...members,
  });
  const statement = receiptStatement({
    job: item === undefined ? job : { ...job, item },
    test: isTest,
    evidence: {
      startedAt: '2026-11-26T04:00:00.000Z',
      inputs: [[file]],
      proof: { kind: 'unchanged' },
      ...(addedFiles === undefined ? {} : { addedFiles }),
    },
    output: file,
    notes,
    finishedAt: new Date(0),
    software: { millrace: '1', nodeAv: '2', ffmpeg: '3' },
  });
  expect(Check(receiptStatementSchema, statement)).toBe(true);
  expect(JSON.stringify(statement)).not.toContain('secret');
  return statement;
}

const item = { platform: 'p2', endpoint: '/media/post/details', parameters: { shortcode: 'lab' }, content: 1 };
const coverUrl = 'https://cdn-paris.example/c.jpg?token=secret';

describe('a receipt', () => {
  test('states only the operation of a job that asks for nothing else', () => {
    const { operation, ...others } = stateJob({});
    expect(operation).toEqual({ type: 'convert_format', copyStreams: true, container: 'mp4' });
    expect(others).not.toHaveProperty('additions');
    expect(others).not.toHaveProperty('clip');
    expect(others).not.toHaveProperty('test');
  });

  test('states that a test key started the job', () => {
    expect(stateJob({}, { test: true }).test).toBe(true);
  });

  test('states how the streams were cut and encoded', () => {
    const video = { maxHeight: 480, maxFps: 30, codec: 'h264', crop: '9:16' };
    const operation = { type: 'convert_format', copyStreams: false, audioBitrate: 96, loudness: -14, video };
    const stated = stateJob({ output: { ext: 'mp4', maxSize: 8_000_000 }, operation, clip: { start: 1.5 } });
    expect(stated.operation).toEqual({ ...operation, container: 'mp4', maxSize: 8_000_000 });
    expect([stated.clip, stated.inputs[0]?.language]).toEqual([{ start: 1.5 }, 'de']);
  });

  test('states digests of tags and chapters, not their texts', () => {
    const output = {
      ext: 'mp4',
      metadata: { title: 'A secret', artist: 'Ä', album: '' },
      chapters: [{ title: 'One secret', start: 0.5 }],
    };
    expect(stateJob({ output }).additions).toEqual({
      metadata: { tags: ['artist', 'title'], sha256: sha256('{"artist":"Ä","title":"A secret"}') },
      chapters: { count: 1, sha256: sha256('[{"start":0.5,"title":"One secret"}]') },
    });
  });

  test('states the files that were added, and not those that could not be fetched', () => {
    const output = {
      ext: 'mp4',
      cover: { url: coverUrl, requestOptions: { headers: { cookie: 'secret' } } },
      subtitles: [
        { url: 'https://gone.example/', format: 'vtt' },
        { content: 'abc secret', format: 'srt', language: 'de', title: 'Deutsch', default: true },
      ],
    };
    expect(
      stateJob({ output }, { addedFiles: { cover: file, subtitles: [{ addition: 1, ...file }] } }).additions,
    ).toEqual({
      cover: { host: 'cdn-paris.example', ...file },
      subtitles: [{ format: 'srt', language: 'de', title: 'Deutsch', default: true, host: null, ...file }],
    });
    expect(stateJob({ output }, { addedFiles: { subtitles: [] } })).not.toHaveProperty('additions');
  });

  test('of an item names no host, even if the links of the item are never replaced', () => {
    const output = { ext: 'mp4', cover: { url: coverUrl } };
    const notes: OutputNote[] = [
      { code: 'cover_left_out', message: 'The cover image was left out: cdn-paris.example returned 404.' },
      { code: 'subtitles_left_out', message: 'mp3 files cannot contain subtitles.' },
      { code: 'clip_without_index', message: 'Input 1: it has no index.', input: 0 },
    ];
    const stated = stateJob({ output }, { item, addedFiles: { cover: file, subtitles: [] }, notes });
    expect(stated.item).toEqual({ ...item, profile: null });
    expect(stated.inputs[0]).toMatchObject({ host: null, representation: null });
    expect(stated.additions?.cover?.host).toBeNull();
    expect(stated.notes).toEqual([
      { code: 'cover_left_out', message: 'The cover image was left out.' },
      notes[1],
      notes[2],
    ]);
    expect(JSON.stringify(stated)).not.toContain('paris');
  });

  test('states the time of each image of a slideshow', () => {
    const inputs = [{ url: 'https://a.example/1', ext: 'jpg' }];
    const stated = stateJob({ inputs, operation: { type: 'slideshow', secondsPerImage: 2 } });
    expect(stated.operation).toMatchObject({ type: 'slideshow', secondsPerImage: 2 });
  });
});
