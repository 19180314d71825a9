import type { TaskContext } from './sink.ts';

/**
 * Returns a pacer for a part of a task.
 *
 * @param from - progress of the whole task when the part begins, 0 to 1.
 * @param to - progress when it ends.
 */
export function shareOf(pacer: TaskContext['pacer'], from: number, to: number): TaskContext['pacer'] {
  return {
    get shouldReport() {
      return pacer.shouldReport;
    },
    reportAndYield: (fraction) => pacer.reportAndYield(from + (to - from) * Math.min(1, Math.max(0, fraction))),
  };
}
