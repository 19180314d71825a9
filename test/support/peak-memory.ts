import { readFile, writeFile } from 'node:fs/promises';
import { pidOf, type RunningProcess } from './processes.ts';

/** Returns the peak memory of a program during a call, in megabytes above its previous use. Linux only. */
export async function peakMemory(
  program: Pick<RunningProcess, 'process'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const folder = `/proc/${pidOf(program)}`;
  const megabytes = async (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(await readFile(`${folder}/status`, 'utf8'))?.[1]) / 1_000;
  // Resets the peak to the current use (proc_pid_clear_refs(5)).
  await writeFile(`${folder}/clear_refs`, '5');
  const before = await megabytes('VmRSS');
  await work();
  return (await megabytes('VmHWM')) - before;
}
