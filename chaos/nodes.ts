import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../lab/tcp/proxy.ts';
import { childrenOf, gone } from '../test/support/linux.ts';
import { freePort } from '../test/support/ports.ts';
import { pidOf, startService } from '../test/support/processes.ts';

/** A dragged node runs in this part of the time. */
const DRAG_SHARE = 0.1;
const DRAG_PERIOD_MS = 500;

/** What a node reaches over the network, each over a proxy of its own. */
export type Place = 'database' | 'store' | 'source';

/** Ports on loopback that places really are at. */
export type Places = Readonly<Record<Place, number>>;

/** One process of the service, with what is needed to harm it. */
export interface Node {
  readonly name: string;
  readonly roles: 'api,render' | 'worker';
  readonly url: string;
  readonly links: Readonly<Record<Place, TcpProxy>>;
  /** Whether it has a job under way, by its folder. */
  busy(): Promise<boolean>;
  /** Ends it as a power cut would, and waits for the end of its children. */
  kill(): Promise<void>;
  /** Stops the process and its children where they stand. */
  pause(): Promise<void>;
  /** Lets it run in a small part of the time alone, so that all it does is slow: its writes, and its signs of life. */
  drag(): Promise<void>;
  /** Ends a pause or dragging. */
  resume(): void;
  /** Starts it again unless it runs. Says whether it had ended without being told to. */
  revive(): Promise<boolean>;
  /** What it and its forerunners have printed lately. */
  output(): string;
  /** Ends it in good order. */
  stop(): Promise<void>;
}

/** How a node is started. */
export interface NodeOptions {
  readonly name: string;
  readonly roles: Node['roles'];
  readonly dataDirectory: string;
  readonly places: Places;
  /** The settings that lead to where its proxies are. */
  settings(links: Node['links']): Record<string, string>;
}

/** Starts a node behind proxies of its own. */
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
  let dragging: NodeJS.Timeout | undefined;
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
    clearInterval(dragging);
    dragging = undefined;
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
      await gone(children);
    },
    pause,
    async drag() {
      await pause();
      dragging = setInterval(() => {
        signal(paused, 'SIGCONT');
        setTimeout(() => {
          if (dragging !== undefined) signal(paused, 'SIGSTOP');
        }, DRAG_PERIOD_MS * DRAG_SHARE);
      }, DRAG_PERIOD_MS);
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
