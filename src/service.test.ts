import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { parseJob } from './contract/parse-job.ts';
import { migrate } from './database/migrate.ts';
import { createTestPostgres, type TestPostgres } from './database/testing/test-database.ts';
import { openJobs } from './render/jobs/jobs.ts';
import { openQueue } from './render/jobs/queue/queue.ts';
import { createSealer } from './sealing/sealer.ts';
import { startService } from './service.ts';

const server = process.env.TEST_DATABASE_URL;
const sealer = createSealer(['a secret for these tests']);

describe.skipIf(server === undefined)('a node that starts on PostgreSQL (needs TEST_DATABASE_URL)', () => {
  let folder: string;
  let database: TestPostgres;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-service-'));
    database = await createTestPostgres(server ?? '');
    await migrate(database);
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('does not count a worker as lost if a database outage prevented its heartbeats', async () => {
    const job = parseJob({
      id: 'one',
      inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
      output: { ext: 'mp4' },
      operation: { type: 'convert_format' },
    });
    await openJobs(database, sealer, 100).start(job, 'me');
    await openQueue(database, sealer).claim(randomUUID());
    await database.query(`update render_progress set beat_at = now() - interval '1 minute'`);
    // The worker sends a heartbeat again while the node starts, here when the node creates its first keys.
    await database.query(
      `create function beat() returns trigger language plpgsql as $$
       begin update render_progress set beat_at = now() + interval '1 hour'; return new; end $$`,
    );
    await database.query('create trigger beat before insert on api_keys execute function beat()');
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder, ROLES: 'render', PORT: '0', DRAIN_DELAY: '0' };
    const service = await startService(readConfig(settings), pino({ level: 'silent' }));
    await service.close(AbortSignal.abort());
    const jobs = await database.query('select state, deaths from render_jobs');
    expect(jobs).toEqual([{ state: 'downloading_inputs', deaths: 0 }]);
  });
});
