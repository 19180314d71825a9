import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../lab/tcp/proxy.ts';
import { childrenOf, waitForExit } from '../test/support/child-processes.ts';
import { freePort } from '../test/support/free-port.ts';
import { pidOf, startService } from '../test/support/processes.ts';

/** Portion of the time in which a slowed node runs. */
const SLOW_SHARE = 0.1;
const SLOW_PERIOD_MS = 500;

/** The upstreams that a node reaches over the network, each through its own proxy. */
export type Upstream = 'database' | 'store' | 'source';

/** The upstreams' own ports on loopback. */
type UpstreamPorts = Readonly<Record<Upstream, number>>;

/** One process of the service, with controls for faults. */
export interface Node {
  readonly name: string;
  readonly roles: 'api,render' | 'worker';
  readonly url: string;
  readonly links: Readonly<Record<Upstream, TcpProxy>>;
  /** Returns whether the node is working on a job: it has a folder for each such job. */
  busy(): Promise<boolean>;
  /** Kills it, and waits for the end of its children. */
  kill(): Promise<void>;
  /** Suspends the process and its children. */
  pause(): Promise<void>;
  /** Suspends it most of the time, which slows everything it does, including writes and heartbeats. */
  slowDown(): Promise<void>;
  /** Resumes it. */
  resume(): void;
  /** Starts it again if it has ended. Returns whether it had ended unexpectedly. */
  revive(): Promise<boolean>;
  /** Returns its recent output, including that of earlier processes. */
  output(): string;
  /** Stops it in an orderly way. */
  stop(): Promise<void>;
}

/** Options for a node. */
export interface NodeOptions {
  readonly name: string;
  readonly roles: Node['roles'];
  readonly dataDirectory: string;
  readonly upstreamPorts: UpstreamPorts;
  /** Returns the settings that contain the addresses of its proxies. */
  settings(links: Node['links']): Record<string, string>;
}

/** Starts a node with its own proxies. */
export async function startNode({
  name,
  roles,
  dataDirectory,
  upstreamPorts: places,
  settings,
}: NodeOptions): Promise<Node> {
  const [database, store, source] = await Promise.all(
    [places.database, places.store, places.source].map((port) => startTcpProxy(port)),
  );
  if (database === undefined || store === undefined || source === undefined) throw new Error('a proxy is missing');
  const links = { database, store, source };
  const PORT = String(await freePort());
  const start = () =>
    startService(`http://127.0.0.1:${source.port}`, dataDirectory, { ...settings(links), ROLES: roles, PORT });
  const closeLinks = () => Promise.all(Object.values(links).map((link) => link.close()));
  let service = await start().catch(async (error: unknown) => {
    await closeLinks();
    throw error;
  });
  let earlierOutput = '';
  let pausedPids: number[] = [];
  let slowTimer: NodeJS.Timeout | undefined;
  let isKilled = false;

  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch (error) {
        // A child may have ended by itself.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  async function pause(): Promise<void> {
    const pid = pidOf(service);
    process.kill(pid, 'SIGSTOP');
    pausedPids = [pid, ...(await childrenOf(pid))];
    signal(pausedPids, 'SIGSTOP');
  }
  function resume(): void {
    clearInterval(slowTimer);
    slowTimer = undefined;
    signal(pausedPids, 'SIGCONT');
    pausedPids = [];
  }
  const hasEnded = () => service.process.exitCode !== null || service.process.signalCode !== null;

  return {
    name,
    roles,
    url: service.url,
    links,
    async busy() {
      const runs = await readdir(join(dataDirectory, 'work')).catch(() => []);
      return runs.length > 0;
    },
    async kill() {
      isKilled = true;
      const pid = pidOf(service);
      // The process is suspended before the first await, because the timing matters.
      process.kill(pid, 'SIGSTOP');
      const children = await childrenOf(pid);
      await service.kill();
      await waitForExit(children);
    },
    pause,
    async slowDown() {
      await pause();
      slowTimer = setInterval(() => {
        signal(pausedPids, 'SIGCONT');
        setTimeout(() => {
          if (slowTimer !== undefined) signal(pausedPids, 'SIGSTOP');
        }, SLOW_PERIOD_MS * SLOW_SHARE);
      }, SLOW_PERIOD_MS);
    },
    resume,
    async revive() {
      if (!hasEnded()) return false;
      const output = service.output();
      service = await start();
      earlierOutput = (earlierOutput + output).slice(-200_000);
      const endedUnexpectedly = !isKilled;
      isKilled = false;
      return endedUnexpectedly;
    },
    output: () => earlierOutput + service.output(),
    async stop() {
      resume();
      try {
        if (!hasEnded()) await service.stop();
      } finally {
        await closeLinks();
      }
    },
  };
}
