import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { openKeys } from '../../accounts/keys.ts';
import { openLedger } from '../../accounts/ledger.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { plans } from '../../contract/subscription-plans.ts';
import type { EmbeddedDatabase } from '../../database/embedded/embedded-database.ts';
import { openJobs } from '../../render/jobs/jobs.ts';
import { openQueue } from '../../render/jobs/queue/queue.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { type Acknowledgements, BATCH_ROWS, type Point, payerAccount } from './find-losses.ts';

const owner = 'render:owner';
const worker = '00000000-0000-4000-8000-000000000001';
const limits = { credits: 1e6, perSecond: 1e6 };

/**
 * Statements that run concurrently with the calls: maintenance, and statements that replace the files of tables, as
 * migrations do.
 */
const concurrentStatements = [
  'vacuum full render_jobs',
  'checkpoint',
  'vacuum',
  'checkpoint',
  // An unlogged table.
  'vacuum full relay_places',
  'checkpoint',
  // A table whose file is named by a replaceable file, `pg_filenode.map`.
  'reindex table pg_class',
  'checkpoint',
  'select pg_switch_wal()',
];

/** The parts of a {@link runWorkload workload}. */
interface Workload {
  readonly rounds: number;
  readonly random: () => number;
  readonly secret: string;
  readonly sealer: Sealer;
  /** Returns the time as a number of disk operations. */
  readonly now: () => Point;
}

/**
 * Runs the queries and the maintenance of a busy service on a database. Returns the acknowledgements with their times.
 */
export async function runWorkload(
  database: EmbeddedDatabase,
  { rounds, random, secret, sealer, now }: Workload,
): Promise<Acknowledgements> {
  const acknowledgements: Acknowledgements = { jobs: new Map(), keys: [], payments: [] };
  const keys = await openKeys(database, { hashing: [secret], signing: [secret] }, plans, pino({ level: 'silent' }));
  const ledger = await openLedger(database, true, pino({ level: 'silent' }));
  const jobs = openJobs(database, sealer, 10_000);
  const queue = openQueue(database, sealer);
  const running = new Map<string, string>();

  async function start(): Promise<void> {
    const id = randomUUID();
    const times = { calledAt: now() };
    acknowledgements.jobs.set(id, times);
    const input = { url: `https://cdn.example/${'a'.repeat(Math.floor(random() * 500))}.mp4`, ext: 'mp4' };
    const job = { id, inputs: [input], output: { ext: 'mp4' }, operation: { type: 'convert_format' } };
    await jobs.start(parseJob(job), owner);
    Object.assign(times, { acceptedAt: now() });
  }
  async function pay(): Promise<void> {
    const payment = { calledAt: now() };
    acknowledgements.payments.push(payment);
    await ledger.pay(payerAccount, limits, 1);
    Object.assign(payment, { paidAt: now() });
  }
  async function createKey(): Promise<void> {
    const { key } = await keys.create({ kind: 'render', plan: 'PRO' }, { name: 'a test' });
    acknowledgements.keys.push({ key, createdAt: now() });
  }
  async function claim(): Promise<void> {
    const job = await queue.claim(worker);
    if (job === undefined) return;
    running.set(job.run, job.id);
    if (random() < 0.5) await queue.enterStage(job.run, 'processing', 50);
  }
  async function end(run: string, id: string): Promise<void> {
    running.delete(run);
    if (random() < 0.2) {
      await queue.requeue(run);
      return;
    }
    const state = random() < 0.7 ? 'done' : 'failed';
    Object.assign(acknowledgements.jobs.get(id) ?? {}, { state, endCalledAt: now() });
    const file = { key: run, name: `${id}.mp4`, size: 1_000, link: run, notes: [] };
    if (state === 'done') await queue.complete(run, file);
    else if (random() < 0.5) await queue.fail(run, new MillraceError('processing_failed', 'it failed'), 10);
    else await jobs.cancel(id, owner);
    Object.assign(acknowledgements.jobs.get(id) ?? {}, { endedAt: now() });
  }
  /** More rows than fit into the engine's memory. All are deleted, so VACUUM then shortens the table's file. */
  const batch = (number: number) => [
    database.query(
      `insert into service_facts select 'batch ${number} ' || n, repeat('x', 300) from generate_series(1, ${BATCH_ROWS}) n`,
    ),
    database.query(`delete from service_facts where name like 'batch %'`),
    database.query('vacuum service_facts'),
  ];

  for (let round = 1; round <= rounds; round += 1) {
    const some = (call: () => Promise<void>) => Array.from({ length: Math.floor(random() * 4) }, call);
    await Promise.all([
      ...some(start),
      ...some(pay),
      // Runs while the commits before it wait for the disk.
      database.query(concurrentStatements[round % concurrentStatements.length] ?? ''),
      ...some(start),
      ...(random() < 0.3 ? [createKey()] : []),
      ...(round % 10 === 0 ? batch(round) : []),
    ]);
    await queue.heartbeat(worker, 2, new Map([...running.keys()].map((run) => [run, round % 100])));
    if (running.size < 4) await claim();
    await Promise.all([...running].filter(() => random() < 0.4).map(([run, id]) => end(run, id)));
    if (round === Math.ceil(rounds / 2)) await database.snapshot();
  }
  await ledger.close();
  await keys.close();
  return acknowledgements;
}
