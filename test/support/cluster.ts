import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { type RunningProcess, startService } from './processes.ts';
import { type Stack, stack, stackSettings } from './storage-stack.ts';

const API_NODES = 2;
const WORKERS = 3;

/** Several processes that form one service. */
export interface Cluster {
  /** URL that leads to the API nodes in turn, one connection after the other. */
  readonly url: string;
  readonly nodes: readonly RunningProcess[];
  readonly workers: readonly RunningProcess[];
  /** Stops a process, and starts another one as its replacement. */
  restart(which: RunningProcess): Promise<RunningProcess>;
  stop(): Promise<void>;
}

interface Member {
  readonly settings: Readonly<Record<string, string>>;
  running: RunningProcess;
}

/** Starts API nodes and workers that share one database and one storage, and a load balancer. */
export async function startCluster(
  labUrl: string,
  folder: string,
  settings: Record<string, string> = {},
  on: Stack = stack,
): Promise<Cluster> {
  const balancer = await startBalancer();
  const sharedSettings = {
    ...(await stackSettings(folder, on)),
    ...(on === 'postgres' ? { STORAGE_URL: `file:${join(folder, 'files')}` } : {}),
    BASE_URL: balancer.url,
    API_URL: balancer.url,
    RENDER_URL: balancer.url,
    ...settings,
  };
  const members: Member[] = [];
  const stop = async () => {
    await balancer.stop();
    await Promise.all(members.map(({ running }) => running.stop()));
  };
  const start = async (roles: string, index: number): Promise<Member> => {
    const directory = join(folder, `${roles}-${index}`);
    const own = { ...sharedSettings, ROLES: roles, DATA_DIR: directory, PORT: String(await freePort()) };
    const member = { settings: own, running: await startService(labUrl, folder, own) };
    members.push(member);
    return member;
  };
  const startAll = async (roles: string, count: number): Promise<readonly Member[]> => {
    const starts = await Promise.allSettled(Array.from({ length: count }, (_, index) => start(roles, index)));
    const failed = starts.find((one) => one.status === 'rejected');
    if (failed === undefined) return starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await stop();
    throw failed.reason;
  };
  const nodes = await startAll('api,render', API_NODES);
  const workers = await startAll('worker', WORKERS);
  balancer.lead(nodes.map(({ running }) => new URL(running.url)));
  return {
    url: balancer.url,
    get nodes() {
      return nodes.map(({ running }) => running);
    },
    get workers() {
      return workers.map(({ running }) => running);
    },
    async restart(which) {
      const member = members.find(({ running }) => running === which);
      if (member === undefined) throw new Error('the process is not part of the cluster');
      await which.stop();
      member.running = await startService(labUrl, folder, member.settings);
      return member.running;
    },
    stop,
  };
}

/** Waits until one of the workers has claimed a job. */
export async function workerRunning(
  workers: readonly RunningProcess[],
  jobId: string,
  timeout = 30_000,
): Promise<RunningProcess> {
  const deadline = performance.now() + timeout;
  while (performance.now() < deadline) {
    const taker = workers.find(({ output }) => waitForLog(output(), jobId, 'job taken up'));
    if (taker !== undefined) return taker;
    await delay(20);
  }
  throw new Error(`no worker claimed ${jobId} in ${timeout / 1_000} s`);
}

/** Whether a process has logged something about a job. */
export function waitForLog(output: string, jobId: string, message: string): boolean {
  return output.split('\n').some((line) => line.includes(jobId) && line.includes(message));
}

/** Forwards each connection to the next of its targets, or to the one after it if that does not respond. */
export async function startBalancer() {
  let targets: readonly URL[] = [];
  let next = 0;
  const server = createServer((caller) => {
    caller.on('error', () => caller.destroy());
    const first = next++;
    const attempt = (retriesLeft: number) => {
      const target = targets[(first + retriesLeft) % targets.length];
      if (target === undefined || retriesLeft === 0) {
        caller.destroy();
        return;
      }
      const node = connect(Number(target.port), target.hostname);
      node.once('error', () => attempt(retriesLeft - 1));
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
