import { temporaryFolder } from '../../test/support/processes.ts';
import { type Cost, formatSpread, pairedRatios, printLine } from '../measure.ts';
import { openPlatform } from './platform.ts';
import { timeBareNode } from './time-bare-node.ts';
import { timeToFirstRequest } from './time-to-first-request.ts';

/** Seconds from the start of a command to its first request to the platform. */
const TARGET = 1;

/** The commands by the name of their row. */
const commands = {
  info: ['info', 'lab-plain30'],
  get: ['get', 'lab-plain30', '--quality', '720p'],
} as const;

type Row = keyof typeof commands;

/** Names of the rows, in order. */
export const cliRows: readonly string[] = Object.keys(commands);

/**
 * Measures from the start of a command without a service until the platform receives its first request. The platform is
 * a server that never responds, so only the start is measured. The peer, which runs alternately, is a bare Node process
 * that does nothing.
 */
export async function cliBench(rounds: number, names: readonly string[]): Promise<void> {
  const platform = await openPlatform();
  try {
    for (const row of Object.keys(commands) as Row[]) {
      if (!names.includes(row)) continue;
      const ours: Cost[] = [];
      const theirs: Cost[] = [];
      // The first round fills the compile cache and the disk's cache.
      for (let round = 0; round <= rounds; round += 1) {
        const folder = await temporaryFolder();
        try {
          const pair = [await timeToFirstRequest(commands[row], platform, folder.path), await timeBareNode()] as const;
          if (round === 0) continue;
          ours.push(pair[0]);
          theirs.push(pair[1]);
        } finally {
          await folder.delete();
        }
      }
      report(row, ours, theirs);
    }
  } finally {
    await platform.close();
  }
}

function report(row: Row, ours: readonly Cost[], theirs: readonly Cost[]): void {
  const values = (what: keyof Cost) => formatSpread(ours.map((cost) => cost[what]));
  const ratio = (what: keyof Cost) => formatSpread(pairedRatios(ours, theirs, what), 1);
  printLine(`millrace ${row} without a service, to its first request, against node -e 0:`);
  printLine(`  wall ${values('wall')} s (target ${TARGET}), ${ratio('wall')} times the bare node's`);
  printLine(`  CPU  ${values('cpu')} s, ${ratio('cpu')} times the bare node's`);
}
