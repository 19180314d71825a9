import { readdir, readFile } from 'node:fs/promises';

/** Cost of one run. */
export interface Cost {
  /** Seconds. */
  readonly wall: number;
  /** Seconds of processor time, all processes together. */
  readonly cpu: number;
}

/** Returns the middle value. For an even number of values, it is the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Returns the value that a portion of all values does not exceed: 0.99 is the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** Prints a line of a report. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Returns the ratio of each pair of runs. The runs of a pair took place one right after the other, so the machine's
 * state affects both.
 */
export function pairedRatios(ours: readonly Cost[], theirs: readonly Cost[], what: keyof Cost): number[] {
  return ours.map((cost, index) => cost[what] / (theirs[index]?.[what] ?? Number.NaN));
}

/** Formats the median of some values with the lowest and the highest. */
export function formatSpread(values: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}

const TICKS_PER_SECOND = 100;

/**
 * Returns the seconds of processor time that a process and its descendants, including dead ones, have used. Linux only.
 */
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

/** Returns the bytes of memory of a process and its descendants, with shared pages counted once (PSS). Linux only. */
export function memoryOf(pid: number): Promise<number> {
  return sumOf(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB/m);
}

/**
 * Returns the sum of the peak memory of a process and its living descendants in bytes, including shared pages. The
 * peaks may be at different times. Linux only.
 */
export function peakMemoryOf(pid: number): Promise<number> {
  return sumOf(pid, 'status', /^VmHWM:\s+(\d+) kB/m);
}

/** Adds up a number of kilobytes in a /proc file of a process and its descendants. */
async function sumOf(pid: number, file: string, line: RegExp): Promise<number> {
  let bytes = 0;
  for (const id of await processTreeOf(pid)) {
    // A child may end between the two reads.
    const text = await readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
    bytes += Number(line.exec(text)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

/**
 * Returns how often the threads of a process and its descendants have waited (voluntary context switches). Linux only.
 */
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

/** Returns the IDs of a process and its descendants. */
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
  /** Processor time of the process and of the children that it has waited for. */
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
    // proc(5): the fields after the name are state, parent …, and as 12th to 15th utime, stime, cutime, cstime.
    const [, parent] = fields;
    if (parent === undefined) continue;
    stats.set(Number(name), { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) });
  }
  return stats;
}
