import { Log, Parser } from 'youtubei.js';
import { type Fields, fields } from '../../src/parsing/values.ts';
import { parseResponse } from '../../src/platforms/youtube/parse/json-response.ts';
import { findRefusal } from '../../src/platforms/youtube/parse/refusal.ts';
import { type Recording, recordings } from '../../src/platforms/youtube/testing/recordings.ts';
import { startCpuClock } from '../../src/testing/cpu-clock.ts';
import { median, percentile, printLine } from '../measure.ts';
import { readers, textReaders } from './readers.ts';

/** The work on one recorded response. */
interface Work {
  readonly name: string;
  /** Converts the response from its bytes to the contract's shape. */
  whole(): unknown;
  /** The parsed response, and its conversion without JSON.parse. Only InnerTube responses have it. */
  readonly innerTube?: { readonly answer: Fields; reading(): unknown };
}

/** Cost of one recorded response: milliseconds of processor time, in all threads of the process. */
interface Times {
  readonly name: string;
  readonly whole: number;
  /** The time of the conversion without JSON.parse, and the time of youtubei.js's parser on the same response. */
  readonly pair?: { readonly reading: number; readonly peer: number };
}

/** Uncounted rounds at the beginning, which include the JavaScript engine's compilation. */
const WARM_UP_ROUNDS = 3;

/**
 * Measures the conversion of every recorded p1 response that an endpoint requests: first from its bytes, and then
 * without JSON.parse, in comparison with youtubei.js. Each round reads all responses in mixed order, as in a running
 * service.
 */
export function measureCpu(rounds: number): void {
  Log.setLevel(Log.Level.NONE);
  Parser.setParserErrorHandler(() => undefined);
  const all = recordings();
  if (all.length === 0) {
    throw new Error('Set RECORDINGS_DIR to the folder of recorded responses: this row reads those of p1.');
  }
  const works = all.filter(({ status }) => status === 200).flatMap((recording) => workOf(recording) ?? []);
  const runs = Array.from({ length: WARM_UP_ROUNDS + rounds }, () => works.map(measure)).slice(WARM_UP_ROUNDS);
  report(
    works.map((_, index) => medianTimes(runs.flatMap((run) => run[index] ?? []))),
    all.length,
  );
}

function workOf({ name, group, endpoint, body }: Recording): Work | undefined {
  const bytes = Buffer.from(JSON.stringify(body));
  const readText = textReaders[group];
  if (readText !== undefined) return { name, whole: () => readText(bytes.toString('utf8')) };
  const reader = readers[group];
  if (reader === undefined) return undefined;
  const reading = (answer: Fields) => [findRefusal(answer), reader(answer)];
  const answer = fields(body);
  return {
    name,
    whole: () => reading(parseResponse(bytes.toString('utf8'), 200)),
    // Fragments, and responses that youtubei.js does not parse, have no `innerTube`.
    ...(endpoint.includes('fragment') ? {} : { innerTube: { answer, reading: () => reading(answer) } }),
  };
}

function measure({ name, whole, innerTube }: Work): Times {
  const ours = cpuOf(whole);
  if (innerTube === undefined) return { name, whole: ours };
  const reading = cpuOf(innerTube.reading);
  // The parser of youtubei.js modifies its input.
  const theirs = structuredClone(innerTube.answer);
  return { name, whole: ours, pair: { reading, peer: cpuOf(() => Parser.parseResponse(theirs)) } };
}

function cpuOf(work: () => unknown): number {
  const cpuTime = startCpuClock();
  work();
  return cpuTime();
}

/** Combines the times of all rounds of one response. */
function medianTimes(runs: readonly Times[]): Times {
  const pairs = runs.flatMap(({ pair }) => pair ?? []);
  return {
    name: runs[0]?.name ?? '',
    whole: median(runs.map(({ whole }) => whole)),
    ...(pairs.length === 0
      ? {}
      : { pair: { reading: median(pairs.map((one) => one.reading)), peer: median(pairs.map((one) => one.peer)) } }),
  };
}

function report(times: readonly Times[], recordingCount: number): void {
  const wholes = times.map(({ whole }) => whole);
  const pairs = times.flatMap(({ pair }) => pair ?? []);
  const sum = (what: 'reading' | 'peer') => pairs.reduce((total, pair) => total + pair[what], 0);
  const ratios = pairs.filter(({ peer }) => peer > 0).map(({ reading, peer }) => reading / peer);
  printLine(`p1: ${times.length} of ${recordingCount} recorded responses have a reader here`);
  printLine(`own CPU from bytes to shape, median: ${median(wholes).toFixed(2)} ms (target 5)`);
  printLine(`  99th percentile ${percentile(wholes, 0.99).toFixed(2)} ms; the slowest (target 20):`);
  for (const { name, whole } of times.toSorted((a, b) => b.whole - a.whole).slice(0, 3)) {
    printLine(`  ${whole.toFixed(2)} ms, ${name}`);
  }
  printLine(
    `without JSON.parse, against youtubei.js: ${(sum('reading') / sum('peer')).toFixed(2)} of all together, ` +
      `${median(ratios).toFixed(2)} at the median (target 0.3)`,
  );
}
