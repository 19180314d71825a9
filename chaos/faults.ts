import { setImmediate as nextTurn } from 'node:timers/promises';
import type { End, TcpProxy } from '../lab/tcp/proxy.ts';
import { damageFile } from './damage-file.ts';
import { jobTtl } from './job-kinds.ts';
import type { Node, Upstream } from './node.ts';
import type { Scene } from './scene.ts';
import type { StoreKind } from './store-folder.ts';

/** A fault. The world's `heal` ends it. */
interface Fault {
  /** The only store for which the fault exists. Default: any. */
  readonly store?: StoreKind;
  /** Whether the fault breaks only connections, and for a shorter time than a worker may be silent. */
  readonly connectionsOnly?: true;
  /** Whether every job must finish: the fault is no reason for a job to fail. */
  readonly losesNothing?: true;
  /** Duration in seconds: in the short form, and the minimum and maximum in the long form. */
  readonly durations: readonly [short: number, least: number, most: number];
  /** Injects the fault, and returns a description of its target. */
  strike(scene: Scene): Promise<string>;
}

/** Seconds without a heartbeat after which another worker gets the job, as documented. */
const STALL_S = 30;

const pickWorker = async (scene: Scene): Promise<Node> => {
  const { workers } = scene.world;
  const busy: Node[] = [];
  for (const worker of workers) if (await worker.busy()) busy.push(worker);
  return pickNode(busy.length > 0 ? busy : workers, scene);
};

function pickNode(nodes: readonly Node[], { pick }: Scene): Node {
  const node = nodes[pick(nodes.length, 'node')];
  if (node === undefined) throw new Error('no node to hit');
  return node;
}

/** Breaks the connections to an upstream: those of all nodes, or of one worker that has a job. */
const strikeConnections = (place: Upstream, breakLink: (link: TcpProxy, end: End) => void) => async (scene: Scene) => {
  const all = scene.pick(2, 'all') === 0;
  const end = scene.pick(2, 'end') === 0 ? 'caller' : 'target';
  const nodes = all ? scene.world.nodes : [await pickWorker(scene)];
  // If this process was busy, the proxies first pass on what has arrived: those bytes would have to be fetched again.
  await nextTurn();
  for (const { links } of nodes) breakLink(links[place], end);
  return all ? 'all nodes' : nodes.map(({ name }) => name).join();
};

const blackHole = (link: TcpProxy) => link.blackHole();
const halfOpen = (link: TcpProxy, end: End) => link.halfOpen(end);
const cutLink = (link: TcpProxy) => {
  link.cut();
  link.refuse();
};

/** Moves the timestamps of jobs, as if the clock jumped in the other direction. */
const moveTimes = (secondsOf: (scene: Scene) => number) => async (scene: Scene) => {
  const { world, jobs } = scene;
  const seconds = secondsOf(scene);
  const ids = jobs.map(({ id }) => id);
  await world.postgres.query(
    `with moved as (
         update render_jobs set created_at = created_at + $2 * interval '1 second',
           expires_at = expires_at + $2 * interval '1 second'
         where id = any($1::text[]) returning run
       )
       update render_progress set beat_at = beat_at + $2 * interval '1 second' where run in (select run from moved)`,
    [ids, seconds],
  );
  return `the timestamps of ${ids.length} jobs, by ${seconds} s`;
};

/** Every fault by its name. */
export const faults = {
  'kill worker': {
    durations: [1, 0, 10],
    async strike(scene) {
      const node = await pickWorker(scene);
      await node.kill();
      return node.name;
    },
  },
  'crash-looping worker': {
    durations: [1, 0, 10],
    async strike(scene) {
      const node = await pickWorker(scene);
      const kills = 3 + scene.pick(2, 'kills');
      for (let kill = 1; kill < kills; kill += 1) {
        await node.kill();
        await node.revive();
      }
      await node.kill();
      return `${node.name}, ${kills} times`;
    },
  },
  'kill API node': {
    durations: [1, 0, 10],
    async strike(scene) {
      const node = pickNode(scene.world.apiNodes, scene);
      await node.kill();
      return node.name;
    },
  },
  'pause worker': {
    durations: [STALL_S + 3, 60, 60],
    async strike(scene) {
      const node = await pickWorker(scene);
      await node.pause();
      return node.name;
    },
  },
  'pause API node': {
    durations: [10, 60, 60],
    async strike(scene) {
      const node = pickNode(scene.world.apiNodes, scene);
      await node.pause();
      return node.name;
    },
  },
  'black-hole database': {
    connectionsOnly: true,
    durations: [8, 5, 20],
    strike: strikeConnections('database', blackHole),
  },
  'half-open database': {
    connectionsOnly: true,
    durations: [1, 0, 5],
    strike: strikeConnections('database', halfOpen),
  },
  'cut database': { connectionsOnly: true, durations: [2, 0, 10], strike: strikeConnections('database', cutLink) },
  'cut off worker': {
    durations: [STALL_S + 3, 35, 50],
    async strike(scene) {
      const node = await pickWorker(scene);
      node.links.database.blackHole();
      return `${node.name} from the database`;
    },
  },
  'black-hole store': {
    store: 's3',
    connectionsOnly: true,
    losesNothing: true,
    durations: [8, 5, 20],
    strike: strikeConnections('store', blackHole),
  },
  'half-open store': {
    store: 's3',
    connectionsOnly: true,
    losesNothing: true,
    durations: [1, 0, 5],
    strike: strikeConnections('store', halfOpen),
  },
  'cut store': {
    store: 's3',
    connectionsOnly: true,
    losesNothing: true,
    durations: [2, 0, 10],
    strike: strikeConnections('store', cutLink),
  },
  'black-hole source': { connectionsOnly: true, durations: [8, 5, 20], strike: strikeConnections('source', blackHole) },
  'half-open source': { connectionsOnly: true, durations: [1, 0, 5], strike: strikeConnections('source', halfOpen) },
  'cut source': { connectionsOnly: true, durations: [1, 0, 5], strike: strikeConnections('source', cutLink) },
  'full disk': {
    losesNothing: true,
    durations: [5, 3, 15],
    async strike({ world }) {
      if (!world.disk.real) return 'nothing: mounting a small disk requires root';
      await world.disk.fill();
      return world.store === 'disk' ? 'worker-2 and the store' : 'worker-2';
    },
  },
  'slow disk': {
    durations: [10, 10, 30],
    async strike(scene) {
      const node = await pickWorker(scene);
      await node.slowDown();
      return `${node.name}, stopped nine tenths of the time`;
    },
  },
  'truncate file': { durations: [0, 0, 0], strike: (scene) => damageFile(scene, 'truncate') },
  'remove file': { durations: [0, 0, 0], strike: (scene) => damageFile(scene, 'remove') },
  // The service compares only files on disk with their hashes, not those in an S3 store.
  'flip bit of file': { store: 'disk', durations: [0, 0, 0], strike: (scene) => damageFile(scene, 'flip') },
  'missing store': {
    store: 'disk',
    losesNothing: true,
    durations: [5, 5, 20],
    async strike({ world }) {
      await world.files.hide();
      return 'the folder of the store, which was replaced by an empty one';
    },
  },
  'foreign database': {
    durations: [0, 0, 0],
    async strike({ world }) {
      await world.startIntruder();
      return 'a node with another database, which was refused';
    },
  },
  'restart database': {
    durations: [0, 0, 0],
    async strike({ world }) {
      await world.postgres.restart();
      return world.postgres.restartMethod;
    },
  },
  'clock ahead': {
    durations: [0, 0, 0],
    strike: moveTimes(({ expires, pick }) => (expires ? -2 * (jobTtl / 1000) : -(20 + pick(580, 'jump')))),
  },
  'clock back': {
    durations: [0, 0, 0],
    strike: moveTimes(({ pick }) => 20 + pick(3580, 'jump')),
  },
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof faults;

/** Returns a fault by its name, with the type that all faults share. */
export function faultNamed(name: FaultName): Fault {
  return faults[name];
}
