import type { Engine, ProcessCall } from '../../engine/engine.ts';
import type { ProcessReport } from '../../engine/tasks/report.ts';
import type { ProcessTask } from '../../engine/tasks/task.ts';

/** Creates an engine that passes its calls to the test, which controls their outcome. */
export function createTestEngine() {
  const calls: { task: ProcessTask; call: ProcessCall; end: PromiseWithResolvers<ProcessReport> }[] = [];
  const engine: Engine = {
    isolation: Promise.resolve([]),
    ready: Promise.resolve(),
    children: 0,
    process(task, call) {
      const end = Promise.withResolvers<ProcessReport>();
      call.signal.addEventListener('abort', () => end.reject(call.signal.reason));
      calls.push({ task, call, end });
      return end.promise;
    },
    finish: () => Promise.reject(new Error('nothing to finish')),
    makeSlideshow: () => Promise.reject(new Error('nothing to show')),
    probe: () => Promise.reject(new Error('nothing to probe')),
    close: async () => undefined,
  };
  return { engine, calls };
}
