/** @module-tag long */

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKeys } from '../../accounts/keys.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { databaseFolderOf } from '../../database/embedded/database-folder.ts';
import { openEmbeddedDatabase } from '../../database/embedded/embedded-database.ts';
import { migrate } from '../../database/migrate.ts';
import { putEmptyDatabase } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { seededRandom } from '../seeded-random.ts';
import { createDisk, type Disk } from './disk-model.ts';
import { type Acknowledgements, findLosses } from './find-losses.ts';
import { type DiskOperation, type Recording, recordDisk } from './record-disk.ts';
import { runWorkload } from './workload.ts';

/** Number of power cuts to try, and the seed that determines them. */
const cuts = Number(process.env.POWER_CUTS ?? 10);
const half = Math.ceil(cuts / 2);
const seed = Number(process.env.POWER_SEED ?? 1);

const log = pino({ level: 'silent' });
const secret = 'a secret of these tests';
const sealer = createSealer([secret]);
const random = seededRandom(seed);

let folder: string;
let recording: Recording;
let acknowledged: Acknowledgements;

/**
 * Operations after which a power cut reveals the most losses. After a flush, the data that relied on it is
 * acknowledged. The other operations remove data that the log may need until the log is on disk.
 */
const critical = ['flush', 'truncate', 'unlink', 'rename'] as const;

/**
 * Returns a random point: every other time one directly after a critical operation, otherwise the end of any run of
 * operations of one kind on one file. (The creation of a log segment writes 16 MB of zeros in a row.)
 */
function choosePoint(): number {
  const { operations } = recording;
  const kind = critical[Math.floor(random() * 2 * critical.length)];
  /** Returns what the operations of a run have in common: their kind and file. */
  const runOf = (operation: DiskOperation | undefined) =>
    operation !== undefined && 'file' in operation ? `${operation.kind} ${operation.file}` : operation?.kind;
  const points = operations.flatMap((operation, at) => {
    const endsRun = runOf(operation) !== runOf(operations[at + 1]);
    return (kind === undefined ? endsRun : operation.kind === kind) ? [at + 1] : [];
  });
  return points[Math.floor(random() * points.length)] ?? operations.length;
}

/** Cuts the power at a point. Returns the losses. */
async function cutPower(disk: Disk, point: number): Promise<string[]> {
  const after = join(folder, 'after');
  await mkdir(after);
  disk.advance(point);
  disk.writeAfterCut(databaseFolderOf(after), random);
  try {
    const database = await openEmbeddedDatabase(after, log);
    await migrate(database);
    const accounts = await openKeys(database, { hashing: [secret], signing: [secret] }, plans, log);
    const losses = await findLosses(database, acknowledged, point, { accounts, sealer });
    await accounts.create({ kind: 'render', plan: 'PRO' }, { name: 'a test' });
    await accounts.close();
    await database.close();
    return losses;
  } catch (error) {
    return [String(error)];
  } finally {
    await rm(after, { recursive: true });
  }
}

/**
 * With little memory, the engine writes pages of its tables at any time, each after the log records that it relies on.
 * With as much memory as in production, it writes them only at checkpoints, so commits wait only for their own fsync.
 */
describe.each(['128kB', '8MB'])('with %s of buffers', (buffers) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-power-cut-'));
    const service = join(folder, 'service');
    await putEmptyDatabase(service);
    await writeFile(join(databaseFolderOf(service), 'postgresql.auto.conf'), `shared_buffers = '${buffers}'\n`);
    await cp(databaseFolderOf(service), join(folder, 'before'), { recursive: true });
    recording = recordDisk(databaseFolderOf(service));
    try {
      const database = await openEmbeddedDatabase(service, log);
      await migrate(database);
      const now = () => recording.operations.length;
      acknowledged = await runWorkload(database, { rounds: 8 + cuts / 4, random, secret, sealer, now });
      await database.close();
    } finally {
      recording.stop();
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test(`${half} power cuts lose no acknowledged data`, async () => {
    const points = Array.from({ length: half }, choosePoint);
    const disk = createDisk(join(folder, 'before'), recording, true);
    const lost: Record<number, string[]> = {};
    for (const point of points.toSorted((one, other) => one - other)) {
      const losses = await cutPower(disk, point);
      if (losses.length > 0) lost[point] = losses;
    }
    expect(lost).toEqual({});
  });

  test('a disk that ignores fsync loses data', async () => {
    const disk = createDisk(join(folder, 'before'), recording, false);
    expect(await cutPower(disk, recording.operations.length)).not.toEqual([]);
  });
});
