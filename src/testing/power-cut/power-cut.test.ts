import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys } from '../../accounts/keys.ts';
import { plans } from '../../contract/plans.ts';
import { openEmbedded } from '../../database/embedded.ts';
import { migrate } from '../../database/migrate.ts';
import { databaseFolderOf } from '../../database/place.ts';
import { putEmptyDatabase } from '../../database/testing.ts';
import { createSealer } from '../../sealing.ts';
import { seededRandom } from '../random.ts';
import { type Acknowledged, findLosses } from './acknowledged.ts';
import { createDisk, type Disk } from './disk-model.ts';
import { type DiskOperation, type Recording, recordDisk } from './record-disk.ts';
import { work } from './workload.ts';

/** Power cuts to try, and the seed that they follow from. */
const cuts = Number(process.env.POWER_CUTS ?? 20);
const seed = Number(process.env.POWER_SEED ?? 1);

const log = pino({ level: 'silent' });
const secret = 'a secret of these tests';
const sealer = createSealer([secret]);
const random = seededRandom(seed);

let folder: string;
let recording: Recording;
let acknowledged: Acknowledged;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-power-cut-'));
  const service = join(folder, 'service');
  await putEmptyDatabase(service);
  await cp(databaseFolderOf(service), join(folder, 'before'), { recursive: true });
  recording = recordDisk(databaseFolderOf(service));
  try {
    const database = await openEmbedded(service, log);
    await migrate(database);
    const now = () => recording.operations.length;
    acknowledged = await work(database, { rounds: 20 + cuts / 2, random, secret, sealer, now });
    await database.close();
  } finally {
    recording.stop();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A point, every other time one that directly follows an fsync: what relied on it is acknowledged there. */
function choosePoint(): number {
  const point = Math.ceil(random() * recording.operations.length);
  if (random() < 0.5) return point;
  const isFlush = ({ kind }: DiskOperation) => kind === 'flush';
  return recording.operations.findIndex((operation, at) => at >= point && isFlush(operation)) + 1 || point;
}

/** Cuts the power at a point. Returns what was lost. */
async function cutPower(disk: Disk, point: number): Promise<string[]> {
  const after = join(folder, 'after');
  await mkdir(after);
  disk.advance(point);
  disk.leave(databaseFolderOf(after), random);
  try {
    const database = await openEmbedded(after, log);
    await migrate(database);
    const accounts = await openKeys(database, [secret], plans);
    const losses = await findLosses(database, acknowledged, point, { accounts, sealer });
    await accounts.create('render', 'PRO');
    await accounts.close();
    await database.close();
    return losses;
  } catch (error) {
    return [String(error)];
  } finally {
    await rm(after, { recursive: true });
  }
}

test(`${cuts} power cuts lose nothing that was acknowledged`, { timeout: 60_000 + cuts * 10_000 }, async () => {
  const points = Array.from({ length: cuts }, choosePoint);
  const disk = createDisk(join(folder, 'before'), recording, true);
  const lost: Record<number, string[]> = {};
  for (const point of points.toSorted((one, other) => one - other)) {
    const losses = await cutPower(disk, point);
    if (losses.length > 0) lost[point] = losses;
  }
  expect(lost).toEqual({});
});

test('a disk that ignores fsync loses something', async () => {
  const disk = createDisk(join(folder, 'before'), recording, false);
  expect(await cutPower(disk, recording.operations.length)).not.toEqual([]);
});
