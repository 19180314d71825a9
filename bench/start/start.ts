import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/processes.ts';
import { pairedRatios, say, spread } from '../measure.ts';
import { type Start, startOnce } from './start-once.ts';

/** What the table calls its rows, with their targets: seconds to ready, core-seconds, and megabytes at the most. */
const targets = {
  first: { wall: 2, cpu: 2, memory: 350 },
  second: { wall: 1.2, cpu: 1.5, memory: 350 },
} as const;

type Row = keyof typeof targets;

/** Names of the rows, in their order. */
export const startRows: readonly string[] = Object.keys(targets);

const service = 'dist/bin/service.js';
const bare = fileURLToPath(new URL('./bare.ts', import.meta.url));

/**
 * From the start of the process until `/health` says that all roles are ready: with a data directory that is empty, and with
 * one that an orderly stop left. The peer is a Fastify server with one route, started in turn.
 */
export async function startBench(rounds: number, names: readonly string[]): Promise<void> {
  const ours: Record<Row, Start[]> = { first: [], second: [] };
  const theirs: Start[] = [];
  // The first round is for the compiled code and the disk's cache.
  for (let round = 0; round <= rounds; round += 1) {
    const folder = await temporaryFolder();
    try {
      const settings = { DATA_DIR: folder.path, LOG_LEVEL: 'warn' };
      const starts = [
        await startOnce([service], settings, '/health'),
        await startOnce([bare], settings, '/health'),
        await startOnce([service], settings, '/health'),
      ] as const;
      if (round === 0) continue;
      ours.first.push(starts[0]);
      theirs.push(starts[1]);
      ours.second.push(starts[2]);
    } finally {
      await folder.delete();
    }
  }
  for (const row of ['first', 'second'] as const) if (names.includes(row)) report(row, ours[row], theirs);
}

function report(row: Row, ours: readonly Start[], theirs: readonly Start[]): void {
  const { wall, cpu, memory } = targets[row];
  const values = (what: keyof Start) => ours.map((start) => start[what]);
  const ratio = (what: 'wall' | 'cpu') => spread(pairedRatios(ours, theirs, what), 1);
  say(`${row} start to ready, all roles, against a bare Fastify server:`);
  say(`  wall   ${spread(values('wall'))} s (target ${wall}), ${ratio('wall')} times the bare server's`);
  say(`  CPU    ${spread(values('cpu'))} s (target ${cpu}), ${ratio('cpu')} times the bare server's`);
  say(`  memory ${spread(values('memory'), 0)} MB at most, all processes together (target ${memory})`);
}
