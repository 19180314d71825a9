import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { startLab } from '../test/support/processes.ts';
import { startCreditLoad } from './credits.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { describeRun, type Report, violationsOf } from './report.ts';
import { failedPoint, measureKinds, type PointResult, runPoint } from './run-point.ts';
import type { Point } from './schedule.ts';
import { type StoreKind, storeKinds } from './store-folder.ts';
import { startWorld, type World } from './world.ts';

/** Credits for each point: fewer than the requests of a run need, so that the quota is used up. */
const CREDITS_PER_POINT = 20;

/** No further point starts after this time. */
const TIME_LIMIT_MS = 40 * 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs the points of one store, one after the other. Returns undefined without PostgreSQL. */
async function runStore(store: StoreKind, points: readonly Point[], labUrl: string, { seed, short, out }: Options) {
  const quota = CREDITS_PER_POINT * points.length;
  const world = await inTurn(() => own(startWorld(store, labUrl, quota)));
  if (world === undefined) return undefined;
  try {
    const memory = await measureKinds(world);
    const load = startCreditLoad(world, quota);
    const results: PointResult[] = [];
    for (const point of points) {
      if (performance.now() > TIME_LIMIT_MS) break;
      const result = await runPoint(world, point, memory).catch((error: unknown) => failedPoint(point, error));
      results.push(result);
      print(result);
      if (result.violations.length > 0) await saveLogs(world, join(out, `seed-${seed}-point-${point.number}`));
    }
    return { store, results, credits: await load.settle(!short) };
  } finally {
    await end(world);
  }
}

let starting: Promise<unknown> = Promise.resolve();

/** Starts resources one after the other, because processes that start concurrently delay each other. */
function inTurn<T>(start: () => Promise<T>): Promise<T> {
  const started = starting.then(start);
  starting = started.catch(() => undefined);
  return started;
}

/** All resources to stop at the end. */
const running = new Set<{ stop(): Promise<void> }>();

/** Registers a resource to stop, once it has started. */
async function own<T extends { stop(): Promise<void> } | undefined>(started: Promise<T>): Promise<T> {
  const resource = await started;
  if (resource !== undefined) running.add(resource);
  return resource;
}

async function end(resource: { stop(): Promise<void> }): Promise<void> {
  if (running.delete(resource)) await resource.stop();
}

/** Stops everything on a signal, once pending starts have completed. */
function stopOnSignals(): void {
  const endAll = async () => {
    await starting;
    await Promise.allSettled([...running].map(end));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void endAll().finally(() => process.exit(1)));
  }
}

function print({ point, hit, reached, done, failed, recovery, bytes, violations }: PointResult): void {
  const { number, fault, stage, store } = point;
  say(
    `${number}. ${store}: ${fault} (${hit}) at ${stage}${reached ? '' : ', missed'}: ${done} done, ${failed.length} ` +
      `failed, recovered in ${recovery.toFixed(1)} s, ${bytes.toFixed(2)} bytes fetched for each byte needed`,
  );
  for (const violation of violations) say(`   VIOLATION: ${violation}`);
}

/** Saves the output of the nodes. */
async function saveLogs({ nodes }: World, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const node of nodes) await writeFile(join(folder, `${node.name}.log`), node.output());
  say(`   logs: ${folder}`);
}

/** Runs both stores concurrently, because most of the time is waiting. */
async function runStores(options: Options, labUrl: string) {
  const runs = storeKinds.map(async (store) => {
    const points = options.points.filter((point) => point.store === store);
    if (points.length === 0) return 'nothing to do';
    return runStore(store, points, labUrl, options).catch((error: unknown) => {
      // The other store continues and is reported.
      say(`the run with the store ${store} was aborted: ${inspect(error)}`);
      process.exitCode = 1;
      return 'aborted';
    });
  });
  return Promise.all(runs);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  stopOnSignals();
  const startedAt = performance.now();
  const lab = await inTurn(() => own(startLab()));
  const runs = await runStores(options, lab.url).finally(() => end(lab));
  if (runs.includes(undefined)) {
    say('SKIPPED: chaos needs PostgreSQL. Install its programs (package postgresql), or set TEST_DATABASE_URL.');
    return;
  }
  const storeRuns = runs.filter((run) => typeof run === 'object');
  const report: Report = {
    seed: options.seed,
    short: options.short,
    took: (performance.now() - startedAt) / 1000,
    planned: options.points.length,
    results: storeRuns.flatMap(({ results }) => results),
    credits: Object.fromEntries(storeRuns.map(({ store, credits }) => [store, credits])),
  };
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  say(`\n${describeRun(report)}`);
  if (violationsOf(report).length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
});
