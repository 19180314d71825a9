/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeFindings, type FuzzReport, fuzz } from '../support/fuzz/fuzz.ts';
import { collectTargets } from '../support/fuzz/known-targets.ts';
import { contractWithMcp } from '../support/fuzz/mcp.ts';
import {
  inspectorSettings,
  isWithinMargin,
  type MemoryReader,
  type MemoryReading,
  openMemoryReader,
  settledMemory,
} from '../support/fuzz/memory.ts';
import type { Subject } from '../support/fuzz/requests.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

/** Requests to send. CI sends 4,000, and the long form is FUZZ=100000. */
const count = Number(process.env.FUZZ ?? 1_000);
const seed = Number(process.env.FUZZ_SEED ?? 15);
/** Number of the single request to send. */
const only = process.env.FUZZ_ONLY;
const LANES = 8;
/** Number of requests after which caches are full and code is compiled. */
const WARM_UP = 500;
/** Number of requests after which every operation has been called correctly by chance. */
const ENOUGH_FOR_ALL = 4_000;
const IDLE_TIMEOUT_MS = 120_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let memory: MemoryReader;
let subject: Subject;

beforeAll(async () => {
  folder = await temporaryFolder();
  // A small cache fills up soon, and platforms receive more requests.
  service = await startService(inject('labUrl'), folder.path, { ...inspectorSettings, ANSWER_CACHE: '4000000' });
  const contract = await contractWithMcp(service.url);
  memory = await openMemoryReader(service);
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
  await service.stop();
  await folder.delete();
});

const run = (numbers: Iterable<number>) => fuzz(subject, { seed, numbers, lanes: LANES });

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

test.runIf(only !== undefined)('a single generated request gets a documented response', async () => {
  const report = await run([Number(only)]);
  process.stdout.write(`${describeStatuses(report)}\n`);
  expect(describeFindings(report, seed)).toBe('');
});

test.skipIf(only !== undefined)(
  'every generated request gets a documented response, and leaks no memory',
  { timeout: 600_000 + count * 200 },
  async () => {
    const started = performance.now();
    const first = await run(range(1, Math.min(WARM_UP, count)));
    const before = await memory.read();
    const rest = await run(range(WARM_UP + 1, count));
    const seconds = (performance.now() - started) / 1_000;
    const findings = [first, rest].map((report) => describeFindings(report, seed)).join('');
    const after = await settledMemory(memory, before, IDLE_TIMEOUT_MS);
    process.stdout.write(describeRun([first, rest], seconds, before, after));
    expect(findings).toBe('');
    expect(isWithinMargin(before, after), JSON.stringify({ before, after })).toBe(true);
    if (count < ENOUGH_FOR_ALL) return;
    const reached = new Set([...first.successfulOperations, ...rest.successfulOperations]);
    const missed = subject.contract.operations.filter((operation) => !reached.has(operation));
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  },
);

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number <= to; number += 1) yield number;
}

function describeRun(
  reports: readonly FuzzReport[],
  seconds: number,
  before: MemoryReading,
  after: MemoryReading,
): string {
  const requests = reports.reduce((sum, report) => sum + report.requests, 0);
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0);
  const megabytes = ({ live, resident }: MemoryReading) => `${toMB(live)} live, ${toMB(resident)} resident`;
  return [
    `${requests} requests of seed ${seed} in ${seconds.toFixed(0)} s, ${findings} findings`,
    `memory after the first ${WARM_UP}: ${megabytes(before)}; after all: ${megabytes(after)}`,
    ...reports.map(describeStatuses),
    '',
  ].join('\n');
}

function describeStatuses({ statuses }: FuzzReport): string {
  return `responses by status: ${JSON.stringify(statuses)}`;
}

function toMB(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
