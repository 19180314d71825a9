import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startBalancer } from '../test/support/cluster.ts';
import { millrace } from '../test/support/command-line.ts';
import { freePort } from '../test/support/free-port.ts';
import { extract } from '../test/support/http-client.ts';
import { startService, temporaryFolder } from '../test/support/processes.ts';
import { startS3 } from '../test/support/s3.ts';
import { mountSmallDisk, type SmallDisk } from '../test/support/small-disk.ts';
import { type Node, type NodeOptions, startNode } from './node.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { openStoreFolder, type StoreFolder, type StoreKind } from './store-folder.ts';

const API_NODES = 2;
const WORKERS = 3;
const BUCKET = 'files';
const ADMIN_TOKEN = 'token-of-the-chaos-runner';

/** A service of several nodes with its database, store and disk, and the connections that faults can break. */
export interface World {
  readonly store: StoreKind;
  /** URL of the load balancer in front of the API nodes. */
  readonly url: string;
  /** URL of the lab, for its journal. */
  readonly labUrl: string;
  /** URL and token of the admin API. */
  readonly admin: { readonly url: string; readonly token: string };
  readonly nodes: readonly Node[];
  readonly apiNodes: readonly Node[];
  readonly workers: readonly Node[];
  readonly postgres: PostgresServer;
  /** A small disk with the data of the last worker, and with the store if that is a folder. */
  readonly disk: SmallDisk;
  readonly files: StoreFolder;
  /** Starts a node with another database on the same store, which must be refused. Returns its message. */
  startIntruder(): Promise<string>;
  /** Removes files without a job, as an operator does with `millrace doctor --reconcile`. */
  reconcile(): Promise<void>;
  /** Ends all faults. Returns the names of nodes that had ended unexpectedly. */
  heal(): Promise<string[]>;
  /** Stops everything, and removes all of its data. */
  stop(): Promise<void>;
}

/** Starts a world with a lab. Returns undefined without PostgreSQL. `credits` is the quota of the plan BASIC. */
export async function startWorld(store: StoreKind, labUrl: string, credits: number): Promise<World | undefined> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) {
      await next().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some parts could not be stopped in an orderly way');
  };
  try {
    const folder = await temporaryFolder();
    cleanups.push(folder.delete);
    const postgres = await startPostgres(store);
    if (postgres === undefined) {
      await stop();
      return undefined;
    }
    cleanups.push(() => postgres.stop());
    const disk = await mountSmallDisk(join(folder.path, 'small-disk'));
    cleanups.push(() => disk.remove());
    const location = await openStore(store, join(store === 'disk' ? disk.path : folder.path, 'store'));
    cleanups.push(location.stop);
    const balancer = await startBalancer();
    cleanups.push(() => balancer.stop());
    const adminPort = await freePort();

    const upstreamPorts = { database: postgres.port, store: location.port, source: Number(new URL(labUrl).port) };
    const options = (
      name: string,
      roles: Node['roles'],
      parentFolder: string,
      more: Record<string, string>,
    ): NodeOptions => ({
      name,
      roles,
      dataDirectory: join(parentFolder, name),
      upstreamPorts,
      settings: (links) => ({
        ...addresses(balancer),
        DATABASE_URL: postgres.urlByPort(links.database.port),
        ...location.settings(links.store.port),
        PLAN_LIMITS: JSON.stringify({ BASIC: { credits, requestsPerSecond: 1_000 } }),
        WORKER_CONCURRENCY: '2',
        ...more,
      }),
    });
    const start = async (all: readonly NodeOptions[]) => {
      const nodes: Node[] = [];
      // One after the other: on a busy machine, concurrent starts would each take too long.
      for (const one of all) {
        const node = await startNode(one);
        cleanups.push(() => node.stop());
        nodes.push(node);
      }
      return nodes;
    };
    const adminSettings = { ADMIN_PORT: String(adminPort), ADMIN_TOKEN };
    const apiNodes = await start(
      numbers(API_NODES).map((number) =>
        options(`api-${number}`, 'api,render', folder.path, number === 0 ? adminSettings : {}),
      ),
    );
    const workers = await start(
      numbers(WORKERS).map((number) =>
        options(`worker-${number}`, 'worker', number === WORKERS - 1 ? disk.path : folder.path, {}),
      ),
    );
    const nodes = [...apiNodes, ...workers];
    balancer.lead(apiNodes.map(({ url }) => new URL(url)));
    // This request reads the service's OpenAPI document now, because it could not be read during a fault.
    await extract(`${balancer.url}/p5/v3/video/details?videoId=xlab2`);

    const files = openStoreFolder(location.folder);
    return {
      store,
      url: balancer.url,
      labUrl,
      admin: { url: `http://127.0.0.1:${adminPort}`, token: ADMIN_TOKEN },
      nodes,
      apiNodes,
      workers,
      postgres,
      disk,
      files,
      startIntruder: () =>
        startIntruder(join(folder.path, `intruder-${randomUUID()}`), labUrl, location.settings(location.port)),
      async reconcile() {
        const env = {
          ...location.settings(location.port),
          DATABASE_URL: postgres.urlByPort(postgres.port),
          DATA_DIR: join(folder.path, 'operator'),
        };
        const { code, stdout, stderr } = await millrace(['doctor', '--reconcile'], { env, cwd: folder.path });
        if (code !== 0) throw new Error(`millrace doctor --reconcile exited with ${code}: ${stdout}${stderr}`);
      },
      async heal() {
        await disk.free();
        await files.restore();
        for (const node of nodes) {
          for (const link of Object.values(node.links)) link.open();
          node.resume();
        }
        const crashedNodes = await Promise.all(nodes.map(async (node) => ((await node.revive()) ? [node.name] : [])));
        return crashedNodes.flat();
      },
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Starts a node with another database, which must be refused. Returns the refusal. */
async function startIntruder(folder: string, labUrl: string, settings: Record<string, string>): Promise<string> {
  const service = await startService(labUrl, folder, { ...settings, DATABASE_URL: '', ROLES: 'api' }).catch(String);
  if (typeof service !== 'string') {
    await service.kill();
    throw new Error('a node with another database was not refused');
  }
  const refusal = /The store .+ belongs to another database/.exec(service)?.[0];
  if (refusal === undefined) throw new Error(`a node with another database ended for another reason: ${service}`);
  return refusal;
}

function addresses({ url }: { readonly url: string }): Record<string, string> {
  return { BASE_URL: url, API_URL: url, RENDER_URL: url };
}

/** Creates the store, and returns the settings with which a node finds it. */
async function openStore(store: StoreKind, folder: string) {
  if (store === 'disk') {
    // Nodes do not reach this store over the network, so its proxy leads nowhere. Each file is read often enough for a
    // point to notice damage.
    const settings = () => ({ STORAGE_URL: `file:${folder}`, SCRUB_RATE: '100000000', SCRUB_INTERVAL: '10' });
    return { folder, port: 9, settings, stop: async () => undefined };
  }
  const { environment, stop } = await startS3(BUCKET, folder);
  const settings = (port: number) => ({
    ...environment,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    STORAGE_URL: `s3://${BUCKET}/chaos`,
  });
  const port = Number(new URL(environment.AWS_ENDPOINT_URL_S3 ?? '').port);
  return { folder, port, settings, stop };
}
