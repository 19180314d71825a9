import { readdir, readFile } from 'node:fs/promises';

/** What one run took. */
export interface Cost {
  /** Seconds. */
  readonly wall: number;
  /** Seconds of processor time, of all processes together. */
  readonly cpu: number;
}

/** Middle value; with an even count the lower of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** The value that a share of all values does not exceed; 0.99 is the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** Prints a line of a report. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ratios of two things that were run in turn, pair by pair: the machine's moods fall on both. */
export function pairedRatios(ours: readonly Cost[], theirs: readonly Cost[], what: keyof Cost): number[] {
  return ours.map((cost, index) => cost[what] / (theirs[index]?.[what] ?? Number.NaN));
}

/** A number with the spread it comes from. */
export function formatSpread(values: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and all its descendants, dead ones included, have used. Linux. */
export async function cpuOf(pid: number): Promise<number> {
  const processes = await readProcessStats();
  const own = (id: number): number => {
    const stat = processes.get(id);
    if (stat === undefined) return 0;
    const below = [...processes].filter(([, { parent }]) => parent === id).map(([child]) => own(child));
    return stat.ticks + below.reduce((sum, ticks) => sum + ticks, 0);
  };
  return own(pid) / TICKS_PER_SECOND;
}

/** Bytes of memory that a process and its descendants hold, shared pages counted once (PSS). Linux. */
export function memoryOf(pid: number): Promise<number> {
  return sumOf(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB/m);
}

/** Bytes that a process and its living descendants have held at most, each at its own time, shared pages included. Linux. */
export function peakMemoryOf(pid: number): Promise<number> {
  return sumOf(pid, 'status', /^VmHWM:\s+(\d+) kB/m);
}

/** Adds up a number of kilobytes that a file in /proc says of a process and its descendants. */
async function sumOf(pid: number, file: string, line: RegExp): Promise<number> {
  let bytes = 0;
  for (const id of await processTreeOf(pid)) {
    // A child may end between the two reads.
    const text = await readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
    bytes += Number(line.exec(text)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

/** How often the threads of a process and its descendants have waited for something (voluntary context switches). Linux. */
export async function contextSwitchesOf(pid: number): Promise<number> {
  let waits = 0;
  for (const id of await processTreeOf(pid)) {
    const threads = await readdir(`/proc/${id}/task`).catch(() => []);
    for (const thread of threads) {
      const text = await readFile(`/proc/${id}/task/${thread}/status`, 'utf8').catch(() => '');
      waits += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    }
  }
  return waits;
}

/** The ids of a process and its descendants. */
async function processTreeOf(pid: number): Promise<number[]> {
  const processes = await readProcessStats();
  const tree = (id: number): number[] => [
    id,
    ...[...processes].filter(([, { parent }]) => parent === id).flatMap(([child]) => tree(child)),
  ];
  return tree(pid);
}

interface ProcessStat {
  readonly parent: number;
  /** Of itself and of its children that it has waited for. */
  readonly ticks: number;
}

async function readProcessStats(): Promise<Map<number, ProcessStat>> {
  const stats = new Map<number, ProcessStat>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // proc(5): after the name come state, parent … and as 12th to 15th utime, stime, cutime, cstime.
    const [, parent] = fields;
    if (parent === undefined) continue;
    stats.set(Number(name), { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) });
  }
  return stats;
}
