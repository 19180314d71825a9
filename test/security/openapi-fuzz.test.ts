/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeFindings, type FuzzReport, fuzz } from '../support/fuzz/fuzz.ts';
import { collectTargets } from '../support/fuzz/known-targets.ts';
import { contractWithMcp } from '../support/fuzz/mcp.ts';
import {
  hasStayed,
  inspectorSettings,
  type MemoryReader,
  type MemoryReading,
  openMemoryReader,
  settledMemory,
} from '../support/fuzz/memory.ts';
import type { Subject } from '../support/fuzz/requests.ts';
import { canMeasureStalls, MAX_STALL_MS, openStallMeter, type StallMeter } from '../support/loop-stall.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

/** Conversations to hold. CI holds 4,000, and the long form is FUZZ=200000. */
const count = Number(process.env.FUZZ ?? 1_000);
const seed = Number(process.env.FUZZ_SEED ?? 15);
/** Number of the single conversation to hold, or the first and the last one: `4501-4750`. */
const only = process.env.FUZZ_ONLY;
const LANES = 8;
/** Number of requests after which caches are full and code is compiled. */
const WARM_UP = 500;
/** Number of requests after which every operation has been called correctly by chance. */
const ENOUGH_FOR_ALL = 4_000;
/** Number of requests whose stalls are measured together, and again if one is too long. */
const SLICE = 250;
/** Megabytes that the service may use in addition during the run. */
const MAX_PEAK_MB = 300;
const IDLE_TIMEOUT_MS = 120_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let memory: MemoryReader;
let meter: StallMeter | undefined;
let subject: Subject;

beforeAll(async () => {
  folder = await temporaryFolder();
  // A small cache fills up soon, and platforms receive more requests.
  service = await startService(inject('labUrl'), folder.path, { ...inspectorSettings, ANSWER_CACHE: '4000000' });
  const contract = await contractWithMcp(service.url);
  memory = await openMemoryReader(service);
  if (canMeasureStalls) meter = await openStallMeter(service);
  subject = {
    origin: service.url,
    contract,
    credentials: [
      ['X-Marketplace-Key', keys.MEGA],
      ['X-Marketplace-Host', 'api.example'],
      ['Authorization', `Bearer ${keys.render}`],
    ],
    knownTargets: await collectTargets(service.url, contract),
  };
});
afterAll(async () => {
  memory.close();
  await meter?.close();
  await service.stop();
  await folder.delete();
});

/** What a part of the run found. */
interface Part {
  readonly reports: readonly FuzzReport[];
  /** Descriptions of the slices during which the event loop stalled. */
  readonly stalls: readonly string[];
  /** Milliseconds of the longest stall. */
  readonly longest: number;
}

const run = (numbers: Iterable<number>) => fuzz(subject, { seed, numbers, lanes: LANES });

/** Holds conversations, and measures the stalls of the event loop. A slice with a long one is repeated. */
async function runMeasured(from: number, to: number): Promise<Part> {
  const reports: FuzzReport[] = [];
  const stalls: string[] = [];
  let longest = 0;
  for (let first = from; first <= to; first += SLICE) {
    const last = Math.min(first + SLICE - 1, to);
    const send = async () => void reports.push(await run(range(first, last)));
    const stall = meter === undefined ? await send() : await meter.measure(send);
    const { processor = 0, failures = [] } = stall ?? {};
    longest = Math.max(longest, processor);
    if (processor > MAX_STALL_MS || failures.length > 0)
      stalls.push(`${processor.toFixed(0)} ms ${failures.join(', ')}: FUZZ_SEED=${seed} FUZZ_ONLY=${first}-${last}`);
    if (reports.some(({ findings }) => findings.length > 0)) break;
  }
  return { reports, stalls, longest };
}

test.skipIf(only !== undefined)('every operation refuses other methods, and accepts OPTIONS', async () => {
  const { origin, contract } = subject;
  for (const { method, path } of contract.operations) {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    // A path without parameters can also match an operation with parameters.
    const methods = ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];
    const others = methods.filter((other) => contract.find(other, target) === undefined);
    const refusals = await Promise.all(others.map((other) => sendRaw(origin, { method: other, target })));
    for (const { status, headers } of refusals) {
      expect([status, headers.get('allow')?.split(', ')]).toEqual([405, expect.arrayContaining([method, 'OPTIONS'])]);
    }
    expect((await sendRaw(origin, { method: 'OPTIONS', target })).status).toBe(204);
    const unknown = ['BREW', 'QUERY', 'get', 'GET/', '\u0000'];
    const responses = await Promise.all(unknown.map((other) => sendRaw(origin, { method: other, target })));
    for (const { status } of responses) expect([400, 405]).toContain(status);
  }
});

test.runIf(only !== undefined)('the generated requests get documented responses, and stall nothing', async () => {
  const [from = 1, to = from] = (only ?? '').split('-').map(Number);
  const { reports, stalls } = await runMeasured(from, to);
  process.stdout.write(`${JSON.stringify(totalsOf(reports))}\n`);
  expect(reports.map((report) => describeFindings(report, seed)).join('')).toBe('');
  expect(stalls).toEqual([]);
});

test.skipIf(only !== undefined)(
  'every generated request gets a documented response, leaks no memory, and stalls nothing',
  { timeout: 600_000 + count * 200 },
  async () => {
    const started = performance.now();
    const first = await run(range(1, Math.min(WARM_UP, count)));
    const before = await memory.read();
    const parts: Part[] = [];
    let middle = before;
    const work = async () => {
      const half = Math.floor((WARM_UP + count) / 2);
      parts.push(await runMeasured(WARM_UP + 1, half));
      middle = await settledMemory(memory, [before], IDLE_TIMEOUT_MS);
      parts.push(await runMeasured(half + 1, count));
    };
    const peak = canMeasureStalls ? await peakMemory(service, work) : ((await work()) ?? 0);
    const seconds = (performance.now() - started) / 1_000;
    const reports = [first, ...parts.flatMap((part) => part.reports)];
    const readings = [before, middle, await settledMemory(memory, [before, middle], IDLE_TIMEOUT_MS)];
    const longest = Math.max(...parts.map((part) => part.longest));
    process.stdout.write(describeRun(reports, seconds, readings));
    process.stdout.write(`peak memory: ${peak.toFixed(0)} MB more; longest stall: ${longest.toFixed(0)} ms\n`);
    expect(reports.map((report) => describeFindings(report, seed)).join('')).toBe('');
    expect(parts.flatMap(({ stalls }) => stalls)).toEqual([]);
    expect(hasStayed(readings), JSON.stringify(readings)).toBe(true);
    expect(peak).toBeLessThan(MAX_PEAK_MB);
    if (count < ENOUGH_FOR_ALL) return;
    const reached = new Set(reports.flatMap(({ successfulOperations }) => [...successfulOperations]));
    const missed = subject.contract.operations.filter((operation) => !reached.has(operation));
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  },
);

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number <= to; number += 1) yield number;
}

function describeRun(reports: readonly FuzzReport[], seconds: number, readings: readonly MemoryReading[]): string {
  const requests = reports.reduce((sum, report) => sum + report.requests, 0);
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0);
  const megabytes = readings.map(({ live, resident }) => `${toMB(live)} live, ${toMB(resident)} resident`);
  return [
    `${requests} requests of seed ${seed} in ${seconds.toFixed(0)} s, ${findings} findings`,
    `memory after the first ${WARM_UP}, in the middle, and after all: ${megabytes.join('; ')}`,
    `responses by status: ${JSON.stringify(totalsOf(reports))}`,
    '',
  ].join('\n');
}

function totalsOf(reports: readonly FuzzReport[]): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const { statuses } of reports)
    for (const [status, number] of Object.entries(statuses)) totals[status] = (totals[status] ?? 0) + number;
  return totals;
}

function toMB(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
