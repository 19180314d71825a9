import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { childrenOf, waitForExit } from '../../test/support/child-processes.ts';
import { freePort } from '../../test/support/free-port.ts';
import { type RunningProcess, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { stackSettings } from '../../test/support/storage-stack.ts';
import { type FixtureRecord, fixtureOrigin, postgresSecret } from '../../test/support/upgrade/fixture-record.ts';
import { dumpDatabase, packFolder } from './pack.ts';
import { populate } from './populate.ts';

/*
 * npm run with-postgres -- node scripts/make-upgrade-fixtures/main.ts <checkout> <commit>
 *
 * Makes the upgrade fixtures of the version in <checkout> (with its packages installed), in test/fixtures/<version>/. The
 * service and the lab of that checkout run; this checkout only sends the requests. test/fixtures/README.md describes
 * the files.
 */

const [checkout = '', commit = ''] = process.argv.slice(2);
if (checkout === '' || commit === '') throw new Error('Pass a checkout with installed packages, and its commit.');

const adminToken = 'token-of-the-upgrade-fixtures';
const otherCheckout = { checkout: resolve(checkout) };
const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { version: string };
const target = resolve('test', 'fixtures', version);
await mkdir(target, { recursive: true });
const folder = await temporaryFolder();
const lab = await startLab({}, otherCheckout);
try {
  await makeEmbedded(join(folder.path, 'embedded'));
  await makePostgres(join(folder.path, 'postgres'));
} finally {
  await lab.stop();
  await folder.delete();
}

/** Packs the data folder of a service that was killed, and the same folder after another start and an orderly stop. */
async function makeEmbedded(data: string): Promise<void> {
  const fixture = await populateAndKill(data, {});
  await writeFixture('embedded', fixture);
  await packFolder(data, join(target, 'killed.tar.br'));
  const stoppedFolder = join(folder.path, 'stopped');
  await cp(data, stoppedFolder, { recursive: true });
  const service = await start(stoppedFolder, {});
  await service.stop();
  await packFolder(stoppedFolder, join(target, 'stopped.tar.br'));
}

/** Packs the PostgreSQL database and the file folder of a service that was killed. */
async function makePostgres(data: string): Promise<void> {
  const { DATABASE_URL = '' } = await stackSettings(data, 'postgres');
  const settings = { DATABASE_URL, SIGNING_SECRETS: postgresSecret };
  await writeFixture('postgres', await populateAndKill(data, settings));
  await dumpDatabase(DATABASE_URL, join(target, 'postgres.sql.br'));
  await packFolder(data, join(target, 'postgres-data.tar.br'));
}

async function start(data: string, settings: Record<string, string>): Promise<RunningProcess> {
  const common = {
    BASE_URL: fixtureOrigin,
    API_URL: fixtureOrigin,
    RENDER_URL: fixtureOrigin,
    WORKER_CONCURRENCY: '1',
  };
  return startService(lab.url, data, { DATABASE_URL: '', STORAGE_URL: '', ...common, ...settings }, otherCheckout);
}

async function populateAndKill(data: string, settings: Record<string, string>): Promise<FixtureRecord> {
  const ADMIN_PORT = String(await freePort());
  const service = await start(data, { ...settings, ADMIN_PORT, ADMIN_TOKEN: adminToken });
  const adminUrl = `http://127.0.0.1:${ADMIN_PORT}`;
  try {
    const contents = await populate({ url: service.url, adminUrl, adminToken });
    const children = await childrenOf(service.process.pid);
    await service.kill();
    await waitForExit(children);
    return {
      version,
      commit: execFileSync('git', ['rev-parse', commit], { encoding: 'utf8' }).trim(),
      at: Date.now(),
      ...contents,
    };
  } catch (error) {
    await service.kill();
    throw new Error(`The fixture was not created. The service printed:\n${service.output()}`, { cause: error });
  }
}

async function writeFixture(name: string, fixture: FixtureRecord): Promise<void> {
  await writeFile(join(target, `${name}.json`), `${JSON.stringify(fixture, null, 2)}\n`);
}
