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

/** Files that are tried. The whole corpus is CORPUS=1000; a part of it belongs to every run of CI. */
const count = Number(process.env.CORPUS ?? 72);
const SEED = 20_261_121;
const CONCURRENCY = 2;
/** Milliseconds after which an operation counts as hanging. */
const TIME_LIMIT = 30_000;

/** A whole file of each container; of MP4 in all its forms. */
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
 * Containers by what gives a cut away. Those that say how many bytes they have are found out wherever they are cut;
 * those that say how long they play, when more is missing than rounding takes. MPEG-TS, Ogg and ADTS promise nothing:
 * cut, they are shorter files like any other, and only a source that promised more can tell. Neither is it known when
 * damage leaves a file that is whole by all it says: with other times in its index, or with the rest of its fragments
 * hidden behind what looks like junk at its end.
 */
const tellsBytes = ['mp4', 'm4a', 'mov', 'mkv', 'webm', 'wav'];
const tellsTime = ['mp3', 'flac'];
/** Seconds that rounding may take. */
const ROUNDING = 1.1;

/** What is done with them; into the container that they come in, unless it says otherwise. */
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
  /** Whether the source promises how long the file plays, as a playlist does. */
  readonly declaresDuration: boolean;
}

/** Every container with every kind of damage in turn; the rest is drawn. */
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
    // Without bias: edge cases come by themselves in a thousand.
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

/** How a case ended: with what was written and proven, or with what was thrown. */
type Outcome = { readonly report: ProcessReport } | { readonly error: unknown };

/** Takes a damaged file through the stage that jobs go through, in a folder of its own. */
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

/** What is wrong with an ending. */
function faultOf(one: Case, outcome: Outcome): string | undefined {
  if ('report' in outcome) return undetectedLossOf(one, outcome.report);
  const { error } = outcome;
  if (!(error instanceof MillraceError)) return `an error of no type: ${error}`;
  const plain = readable.includes(error.code) && /^[A-Z].{20,}\.$/s.test(error.message);
  // A child that crashed, gave up or failed on its own says so, and none has to.
  return plain && !error.message.includes('media engine') ? undefined : `${error.code}: ${error.message}`;
}

/** What a result hides of its input. */
function undetectedLossOf(
  { ext, harm, operation, declaresDuration }: Case,
  { duration }: ProcessReport,
): string | undefined {
  const isCutShort = harm === 'cut short';
  if (isCutShort && tellsBytes.includes(ext)) return `it was cut and became ${duration.toFixed(1)} s`;
  // The other input of a join plays to the end.
  const checked =
    operation !== 'join with a whole file' && (declaresDuration || (isCutShort && tellsTime.includes(ext)));
  return checked && duration < mediaSeconds - ROUNDING ? `it became ${duration.toFixed(1)} s` : undefined;
}

const isPositive = (outcomes: number) => outcomes > 0;

describe.each(Object.keys(damages))('a file with %s', (harm) => {
  it('ends in the truth: a proven result, or a reason', { timeout: 900_000 }, async () => {
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
    // Those that wait for the next file.
    if (process.platform === 'linux') expect(children().length).toBeLessThanOrEqual(CONCURRENCY);
    expect(outcomes).toEqual({ results: expect.toSatisfy(isPositive), reasons: expect.toSatisfy(isPositive) });
  });
});
