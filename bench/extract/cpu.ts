import { Log, Parser } from 'youtubei.js';
import { fields } from '../../src/platforms/values.ts';
import { readAnswer } from '../../src/platforms/youtube/parse/answer.ts';
import { findRefusal } from '../../src/platforms/youtube/parse/refusal.ts';
import { type Recording, recordings } from '../../src/platforms/youtube/testing/recordings.ts';
import { median, say } from '../measure.ts';
import { type Reader, readers } from './readers.ts';

/** What one recorded answer takes, in milliseconds; all of it is work of one thread. */
interface Times {
  readonly name: string;
  /** From the answer's bytes to the contract's shape. */
  readonly whole: number;
  /** Without JSON.parse. */
  readonly reading: number;
  /** youtubei.js's parser on the parsed answer. */
  readonly peer: number;
}

/** Reads every recorded answer of p1 that has a reader: from its bytes, and without JSON.parse against youtubei.js. */
export function measureCpu(rounds: number): void {
  Log.setLevel(Log.Level.NONE);
  Parser.setParserErrorHandler(() => undefined);
  const all = recordings();
  if (all.length === 0) {
    throw new Error('Set RECORDINGS_DIR to the folder of recorded answers: this row reads those of p1.');
  }
  const pairs = all.flatMap((recording) => {
    const reader = readerOf(recording);
    return reader === undefined ? [] : [{ recording, reader }];
  });
  for (const { recording, reader } of pairs) measureOne(recording, reader, 1);
  const times = pairs.map(({ recording, reader }) => measureOne(recording, reader, rounds));
  report(times, all.length);
}

function readerOf({ group, endpoint, status }: Recording): Reader | undefined {
  if (status !== 200) return undefined;
  return readers.find(({ groups, endpoints }) => groups.includes(group) && (endpoints?.includes(endpoint) ?? true));
}

function measureOne({ name, body }: Recording, { read }: Reader, rounds: number): Times {
  const bytes = Buffer.from(JSON.stringify(body));
  const parsed = fields(body);
  const runs = Array.from({ length: rounds }, () => {
    const whole = timed(() => {
      const answer = readAnswer(bytes.toString('utf8'), 200);
      findRefusal(answer);
      read(answer);
    });
    const reading = timed(() => {
      findRefusal(parsed);
      read(parsed);
    });
    // It changes what it reads.
    const theirs = structuredClone(parsed);
    return { whole, reading, peer: timed(() => Parser.parseResponse(theirs)) };
  });
  // The fastest round is the one that other work on the machine has disturbed least.
  const best = (what: 'whole' | 'reading' | 'peer') => Math.min(...runs.map((run) => run[what]));
  return { name, whole: best('whole'), reading: best('reading'), peer: best('peer') };
}

/**
 * Milliseconds on the clock: the kernel counts a thread's processor time in steps of up to 4 ms, which is longer than
 * most of what is measured here.
 */
function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function report(times: readonly Times[], recorded: number): void {
  const [worst] = times.toSorted((a, b) => b.whole - a.whole);
  const sum = (what: 'reading' | 'peer') => times.reduce((total, time) => total + time[what], 0);
  const ratios = times.filter(({ peer }) => peer > 0).map(({ reading, peer }) => reading / peer);
  say(`p1: ${times.length} of ${recorded} recorded answers have a reader here`);
  say(`own CPU from bytes to shape, median: ${median(times.map(({ whole }) => whole)).toFixed(2)} ms (target 5)`);
  say(`  worst: ${worst?.whole.toFixed(2)} ms (target 20), ${worst?.name}`);
  say(
    `without JSON.parse, against youtubei.js: ${(sum('reading') / sum('peer')).toFixed(2)} of all together, ` +
      `${median(ratios).toFixed(2)} at the median (target 0.3)`,
  );
}
