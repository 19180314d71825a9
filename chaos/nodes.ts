import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../lab/tcp/proxy.ts';
import { childrenOf, waitForExit } from '../test/support/child-processes.ts';
import { freePort } from '../test/support/free-port.ts';
import { pidOf, startService } from '../test/support/processes.ts';

/** The share of the time in which a slowed node runs. */
const SLOW_SHARE = 0.1;
const SLOW_PERIOD_MS = 500;

/** What a node reaches over the network, each through its own proxy. */
export type Place = 'database' | 'store' | 'source';

/** The actual ports of the places on loopback. */
export type Places = Readonly<Record<Place, number>>;

/** One process of the service, with controls for faults. */
export interface Node {
  readonly name: string;
  readonly roles: 'api,render' | 'worker';
  readonly url: string;
  readonly links: Readonly<Record<Place, TcpProxy>>;
  /** Whether it has a job under way, by its folder. */
  busy(): Promise<boolean>;
  /** Kills it, and waits for the end of its children. */
  kill(): Promise<void>;
  /** Suspends the process and its children. */
  pause(): Promise<void>;
  /** Suspends it most of the time, so that everything it does is slow, its writes and heartbeats too. */
  slowDown(): Promise<void>;
  /** Resumes it. */
  resume(): void;
  /** Starts it again unless it runs. Returns whether it had ended unexpectedly. */
  revive(): Promise<boolean>;
  /** Returns its recent output, that of earlier processes included. */
  output(): string;
  /** Stops it in order. */
  stop(): Promise<void>;
}

/** Options for a node. */
export interface NodeOptions {
  readonly name: string;
  readonly roles: Node['roles'];
  readonly dataDirectory: string;
  readonly places: Places;
  /** Returns the settings that lead to its proxies. */
  settings(links: Node['links']): Record<string, string>;
}

/** Starts a node with its own proxies. */
export async function startNode({ name, roles, dataDirectory, places, settings }: NodeOptions): Promise<Node> {
  const [database, store, source] = await Promise.all(
    [places.database, places.store, places.source].map((port) => startTcpProxy(port)),
  );
  if (database === undefined || store === undefined || source === undefined) throw new Error('a proxy is missing');
  const links = { database, store, source };
  const PORT = String(await freePort());
  const start = () =>
    startService(`http://127.0.0.1:${source.port}`, dataDirectory, { ...settings(links), ROLES: roles, PORT });
  const closeLinks = () => Promise.all(Object.values(links).map((link) => link.close()));
  let running = await start().catch(async (error: unknown) => {
    await closeLinks();
    throw error;
  });
  let before = '';
  let paused: number[] = [];
  let slowing: NodeJS.Timeout | undefined;
  let killed = false;

  const signal = (pids: readonly number[], which: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, which);
      } catch (error) {
        // A child may have ended by itself.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  async function pause(): Promise<void> {
    const pid = pidOf(running);
    process.kill(pid, 'SIGSTOP');
    paused = [pid, ...(await childrenOf(pid))];
    signal(paused, 'SIGSTOP');
  }
  function resume(): void {
    clearInterval(slowing);
    slowing = undefined;
    signal(paused, 'SIGCONT');
    paused = [];
  }
  const hasEnded = () => running.process.exitCode !== null || running.process.signalCode !== null;

  return {
    name,
    roles,
    url: running.url,
    links,
    async busy() {
      const runs = await readdir(join(dataDirectory, 'work')).catch(() => []);
      return runs.length > 0;
    },
    async kill() {
      killed = true;
      const pid = pidOf(running);
      // Before anything is waited for: the moment counts.
      process.kill(pid, 'SIGSTOP');
      const children = await childrenOf(pid);
      await running.kill();
      await waitForExit(children);
    },
    pause,
    async slowDown() {
      await pause();
      slowing = setInterval(() => {
        signal(paused, 'SIGCONT');
        setTimeout(() => {
          if (slowing !== undefined) signal(paused, 'SIGSTOP');
        }, SLOW_PERIOD_MS * SLOW_SHARE);
      }, SLOW_PERIOD_MS);
    },
    resume,
    async revive() {
      if (!hasEnded()) return false;
      const printed = running.output();
      running = await start();
      before = (before + printed).slice(-200_000);
      const unasked = !killed;
      killed = false;
      return unasked;
    },
    output: () => before + running.output(),
    async stop() {
      resume();
      try {
        if (!hasEnded()) await running.stop();
      } finally {
        await closeLinks();
      }
    },
  };
}
