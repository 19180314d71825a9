import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { startOrigin } from '../download/testing/origin.ts';
import type { Engine } from '../engine/engine.ts';
import { createInProcessEngine } from '../engine/testing/in-process-engine.ts';
import { createFaultyStorage, type FaultyStorage, faultSites } from './testing/arrival-faults.ts';
import { type ArrivalOperation, createArrivalOperations } from './testing/arrival-operations.ts';
import { type ArrivalStand, runArrival } from './testing/run-arrival.ts';

const seeds = propertyRuns(100);
const firstSeed = Number(process.env.FIRST_SEED ?? 1);

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
let storage: FaultyStorage;
let stand: ArrivalStand & { readonly close: () => Promise<void> };
let operations: readonly ArrivalOperation[];
beforeAll(async () => {
  const created = await createArrivalOperations();
  operations = created.operations;
  const origin = await startOrigin(created.handlers);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-faults-'));
  stand = { egress, engine: waitingEngine(createInProcessEngine()), origin: origin.url, folder, close: origin.close };
  storage = await createFaultyStorage();
});
afterAll(async () => {
  storage?.restore();
  await egress.close();
  await stand?.close();
  if (stand !== undefined) await rm(stand.folder, { recursive: true, force: true });
});

/** An engine that begins with a file that is still arriving when all of it is there: this process cannot wait for it. */
function waitingEngine(engine: Engine): Engine {
  return {
    ...engine,
    async process(task, { growingFiles, ...call }) {
      const whole = Promise.withResolvers<void>();
      call.signal.addEventListener('abort', () => whole.reject(call.signal.reason));
      const unsubscribe = growingFiles?.subscribe(() => growingFiles.whole && whole.resolve());
      if (growingFiles !== undefined) await whole.promise.finally(() => unsubscribe?.());
      return await engine.process(task, call);
    },
  };
}

/** The hash of an operation without a fault, and how many places its faults can have. */
const expected = new Map<ArrivalOperation, { readonly hash: string; readonly counts: FaultyStorage['counts'] }>();

async function expectedOf(operation: ArrivalOperation) {
  const known = expected.get(operation);
  if (known !== undefined) return known;
  storage.arm();
  let counts = storage.counts;
  const hash = await runArrival(operation, stand, () => {
    counts = { ...storage.counts };
  });
  const outcome = { hash, counts };
  expected.set(operation, outcome);
  return outcome;
}

/** Runs the operation of a seed with its fault. Returns the outcome: `right`, `no fault`, or the code of the error. */
async function runFault(seed: number): Promise<{ readonly name: string; readonly outcome: string }> {
  const random = seededRandom(seed);
  const operation = operations[seed % operations.length];
  if (operation === undefined) throw new Error('there are operations');
  const { hash, counts } = await expectedOf(operation);
  const site = faultSites[Math.floor(random() * faultSites.length)] ?? 'file';
  storage.arm({ site, index: Math.floor(random() * counts[site]), random });
  const { name } = operation;
  try {
    const found = await runArrival(operation, stand, () => undefined);
    if (found !== hash) throw new Error('wrong bytes');
    return { name, outcome: storage.damage === undefined ? 'no fault' : 'right' };
  } catch (error) {
    if (error instanceof MillraceError) return { name, outcome: error.code };
    throw new Error(`seed ${seed}, ${name}, ${storage.damage}`, { cause: error });
  }
}

test('a fault of any write of any input ends in the right file or a failure', async () => {
  const outcomes: Record<string, number> = {};
  const ofOperation: Record<string, Record<string, number>> = {};
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const { name, outcome } = await runFault(seed);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const own = ofOperation[name] ?? {};
    ofOperation[name] = { ...own, [outcome]: (own[outcome] ?? 0) + 1 };
  }
  if (process.env.SHOW !== undefined) process.stdout.write(`${JSON.stringify({ outcomes, ofOperation }, null, 1)}\n`);
  expect(outcomes.download_incomplete).toBeGreaterThan(seeds / 2);
});
