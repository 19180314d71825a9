import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type Running, startService } from './processes.ts';
import { stack } from './stack.ts';

const API_NODES = 2;
const WORKERS = 3;

/** Several processes that are one service. */
export interface Cluster {
  /** Leads to the API nodes in turn, one connection after the other. */
  readonly url: string;
  readonly nodes: readonly Running[];
  readonly workers: readonly Running[];
  stop(): Promise<void>;
}

/** Starts API nodes and workers that share one database and one storage, and what spreads connections over them. */
export async function startCluster(
  labUrl: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const balancer = await startBalancer();
  const shared = {
    ...(stack === 'postgres' ? { STORAGE_URL: `file:${join(folder, 'files')}` } : {}),
    BASE_URL: balancer.url,
    API_URL: balancer.url,
    RENDER_URL: balancer.url,
    ...settings,
  };
  const start = (roles: string, index: number) =>
    startService(labUrl, folder, { ...shared, ROLES: roles, DATA_DIR: join(folder, `${roles}-${index}`) });
  const nodes = await Promise.all(Array.from({ length: API_NODES }, (_, index) => start('api,render', index)));
  const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => start('worker', index)));
  balancer.lead(nodes.map(({ url }) => new URL(url)));
  return {
    url: balancer.url,
    nodes,
    workers,
    async stop() {
      await balancer.stop();
      await Promise.all([...nodes, ...workers].map((node) => node.stop()));
    },
  };
}

/** Hands each connection on to the next of its targets; to the one after it where nobody answers. */
async function startBalancer() {
  let targets: readonly URL[] = [];
  let next = 0;
  const server = createServer((caller) => {
    caller.on('error', () => caller.destroy());
    const attempt = (left: number) => {
      const target = targets[next++ % targets.length];
      if (target === undefined || left === 0) {
        caller.destroy();
        return;
      }
      const node = connect(Number(target.port), target.hostname);
      node.once('error', () => attempt(left - 1));
      node.once('connect', () => {
        node.removeAllListeners('error');
        node.on('error', () => caller.destroy());
        node.on('close', () => caller.destroy());
        caller.on('close', () => node.destroy());
        caller.pipe(node).pipe(caller);
      });
    };
    attempt(targets.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lead(to: readonly URL[]) {
      targets = to;
    },
    async stop() {
      server.close();
    },
  };
}
