/** @module-tag long */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../contract/containers.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import { type Damage, damages } from '../engine/testing/damage-file.ts';
import { watchChildren } from '../engine/testing/processes.ts';
import { type MediaDirectory, type MediaName, makeMedia, mediaSeconds } from '../engine/testing/test-media.ts';
import { processMedia } from './process-media.ts';

/** Number of files to test. The whole corpus is CORPUS=1000; every CI run tests a part of it. */
const count = Number(process.env.CORPUS ?? 72);
const SEED = 20_261_121;
const CONCURRENCY = 2;
/** Milliseconds after which an operation counts as hanging. */
const TIME_LIMIT = 30_000;

/** An intact file of each container; for MP4, of each form. */
const files: Readonly<Record<OutputContainer, readonly MediaName[]>> = {
  mp4: ['av.mp4', 'moov-last.mp4', 'fragmented.mp4', 'rich.mp4'],
  m4a: ['a.m4a'],
  mov: ['av.mov'],
  mkv: ['av.mkv', 'rich.mkv'],
  webm: ['av.webm', 'rich.webm'],
  ts: ['av.ts'],
  mp3: ['a.mp3', 'rich.mp3'],
  ogg: ['a.ogg'],
  opus: ['a.opus'],
  wav: ['a.wav'],
  flac: ['a.flac'],
  aac: ['a.aac'],
};

/**
 * Containers grouped by how truncation can be detected. If a container declares its size, any truncation is detected.
 * If it declares its duration, truncation is detected if more is missing than rounding explains. MPEG-TS, Ogg and ADTS
 * declare nothing: truncated, they are valid shorter files, and only a source that declared more can reveal that.
 * Damage that leaves a consistent file is not detectable either: changed times in its index, or fragments hidden behind
 * data at its end that looks like junk.
 */
const tellsBytes = ['mp4', 'm4a', 'mov', 'mkv', 'webm', 'wav'];
const tellsTime = ['mp3', 'flac'];
/** Maximum rounding difference in seconds. */
const ROUNDING = 1.1;

/** The tested operations; the output container is that of the input unless stated otherwise. */
const operations = {
  copy: { type: 'convert_format', copyStreams: true },
  'copy into Matroska': { type: 'convert_format', copyStreams: true, into: 'mkv' },
  'extract the sound': { type: 'extract_audio', copyStreams: true, into: 'mkv' },
  'join with a whole file': { type: 'join_streams', copyStreams: true, into: 'mkv' },
  encode: { type: 'convert_format', copyStreams: false },
} as const;

const someOperation = fc.oneof(
  { arbitrary: fc.constant('copy' as const), weight: 3 },
  { arbitrary: fc.constant('extract the sound' as const), weight: 2 },
  fc.constant('copy into Matroska' as const),
  fc.constant('join with a whole file' as const),
  fc.constant('encode' as const),
);

interface Case {
  readonly ext: OutputContainer;
  readonly name: MediaName;
  readonly harm: keyof typeof damages;
  readonly damage: Damage;
  readonly operation: keyof typeof operations;
  /** Whether the source declares the duration of the file, as a playlist does. */
  readonly declaresDuration: boolean;
}

/** Returns every combination of container and damage in turn; the other properties are random. */
function corpus(): Case[] {
  const exts = Object.keys(files) as OutputContainer[];
  const harms = Object.keys(damages) as (keyof typeof damages)[];
  return Array.from({ length: count }, (_, at) => {
    const ext = exts[at % exts.length] ?? 'mp4';
    const harm = harms[Math.floor(at / exts.length) % harms.length] ?? 'cut short';
    const caseArbitrary = fc.record({
      name: fc.constantFrom(...files[ext]),
      damage: damages[harm],
      operation: someOperation,
      declaresDuration: fc.boolean(),
    });
    // Without bias: a thousand cases include edge cases anyway.
    const [draw] = fc.sample(fc.noBias(caseArbitrary), { seed: SEED + at, numRuns: 1 });
    if (draw === undefined) throw new Error('nothing was drawn');
    return { ext, harm, ...draw };
  });
}

let media: MediaDirectory;
let engine: Engine;
let children: () => number[];
beforeAll(async () => {
  media = await makeMedia();
  if (process.platform === 'linux') children = watchChildren();
  engine = createEngine({ directory: media.path, spares: CONCURRENCY, processTimeout: TIME_LIMIT, threads: 1 });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const signal = new AbortController().signal;
const input = { url: 'https://cdn.example/file', ext: 'mp4' };

function jobOf({ ext, operation }: Case) {
  const {
    type,
    copyStreams,
    into = ext,
  }: { type: string; copyStreams: boolean; into?: string } = operations[operation];
  return parseJob({
    id: 'corpus',
    inputs: type === 'join_streams' ? [input, input] : [input],
    output: { ext: into },
    operation: { type, copyStreams },
  });
}

/** The outcome of a case: a report of the verified result, or an error. */
type Outcome = { readonly report: ProcessReport } | { readonly error: unknown };

/** Runs the job stage on a damaged file, in its own folder. */
async function runCase(one: Case, directory: string): Promise<Outcome> {
  mkdirSync(directory);
  const sources = [one.damage(readFileSync(media.file(one.name)))];
  if (one.operation === 'join with a whole file') sources.push(readFileSync(media.file('av.mp4')));
  const inputs = sources.map((bytes, at) => {
    const path = join(directory, `input-${at + 1}`);
    writeFileSync(path, bytes);
    const promise = one.declaresDuration && at === 0 ? { duration: mediaSeconds } : {};
    return { files: [{ parts: [{ path, ...promise }], bytes: bytes.length }] };
  });
  let report: ProcessReport | undefined;
  const recordingEngine: Engine = {
    ...engine,
    process: async (task, call) => {
      report = await engine.process(task, call);
      return report;
    },
  };
  try {
    await processMedia(jobOf(one), { kind: 'whole', inputs, reason: 'a test' }, directory, recordingEngine, {
      signal,
      onProgress: () => undefined,
    });
    return report === undefined ? { error: 'nothing was written' } : { report };
  } catch (error) {
    return { error };
  }
}

const readable = [
  'input_unreadable',
  'input_incomplete',
  'incompatible_codecs',
  'processing_failed',
  'result_unproven',
];

/** Returns what is wrong with an outcome. */
function faultOf(one: Case, outcome: Outcome): string | undefined {
  if ('report' in outcome) return undetectedLossOf(one, outcome.report);
  const { error } = outcome;
  if (!(error instanceof MillraceError)) return `an error of no type: ${error}`;
  const plain = readable.includes(error.code) && /^[A-Z].{20,}\.$/s.test(error.message);
  // Messages about the media engine come from a child that crashed, gave up or failed, which no file should cause.
  return plain && !error.message.includes('media engine') ? undefined : `${error.code}: ${error.message}`;
}

/** Returns a loss of input data that the result does not report. */
function undetectedLossOf(
  { ext, harm, operation, declaresDuration }: Case,
  { duration }: ProcessReport,
): string | undefined {
  const isCutShort = harm === 'cut short';
  if (isCutShort && tellsBytes.includes(ext)) return `it was cut and became ${duration.toFixed(1)} s`;
  // In a join, the other input plays to its end, so the duration of the result shows no loss.
  const checked =
    operation !== 'join with a whole file' && (declaresDuration || (isCutShort && tellsTime.includes(ext)));
  return checked && duration < mediaSeconds - ROUNDING ? `it became ${duration.toFixed(1)} s` : undefined;
}

const isPositive = (outcomes: number) => outcomes > 0;

describe.each(Object.keys(damages))('a file with %s', (harm) => {
  it('yields a verified result or an error', { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    const queue = [...corpus().entries()].filter(([, one]) => one.harm === harm);
    const outcomes = { results: 0, reasons: 0 };
    const runWorker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [at, one] = next;
        const directory = media.file(`job-${at}`);
        const outcome = await runCase(one, directory);
        outcomes['report' in outcome ? 'results' : 'reasons'] += 1;
        const fault = faultOf(one, outcome);
        const leftovers = readdirSync(directory).filter((name) => !/^(input-\d|result\.\w+)$/.test(name));
        if (fault !== undefined) faults.push(`#${at} ${one.name}, ${one.operation}: ${fault}`);
        if (leftovers.length > 0) faults.push(`#${at} ${one.name}, ${one.operation}: left ${leftovers.join(', ')}`);
        rmSync(directory, { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, runWorker));
    expect(faults).toEqual([]);
    // Only idle child processes may remain, which wait for the next file.
    if (process.platform === 'linux') expect(children().length).toBeLessThanOrEqual(CONCURRENCY);
    expect(outcomes).toEqual({ results: expect.toSatisfy(isPositive), reasons: expect.toSatisfy(isPositive) });
  });
});
