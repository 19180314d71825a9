import { MillraceError } from '../../../contract/errors.ts';
import type { Engine, EngineCall } from '../engine.ts';
import { runTask } from '../media/run-task.ts';
import { type ChildReport, type ChildTask, encodeFinishTask } from '../protocol/messages.ts';
import { parseChildMessage } from '../protocol/parse-message.ts';
import { ProgressPacer } from '../tasks/progress-pacer.ts';

/**
 * Creates an engine that works in the test process, for tests of media results: a child takes four times as long to
 * start as to copy a small file. Its tasks and reports are serialised and parsed as messages, as between the service
 * and a child. It cannot read files that are still arriving, has no limits and cannot be aborted. A file that crashes
 * the media library ends the test.
 *
 * @param logDebug Called with each line that a child would log.
 */
export function createInProcessEngine(logDebug: (text: string) => void = () => undefined): Engine {
  const perform = async (task: ChildTask, { onProgress = () => undefined }: EngineCall) =>
    await performTask(task, {
      pacer: new ProgressPacer(onProgress, 0),
      threads: 2,
      growingFiles: new Map(),
      logDebug,
    });
  // As in a child.
  process.env.SVT_LOG = '1';
  return {
    isolation: Promise.resolve([]),
    ready: Promise.resolve(),
    children: 0,
    process: async (task, call) => await perform({ type: 'process', ...task }, call),
    finish: async (task, call) => await perform({ type: 'finish', ...encodeFinishTask(task) }, call),
    makeSlideshow: async (task, call) => await perform({ type: 'slideshow', ...task }, call),
    async probe(task, call) {
      const { notes, ...report } = await perform({ type: 'probe', ...task }, call);
      return report;
    },
    close: async () => undefined,
  };
}

async function performTask(task: ChildTask, tools: Parameters<typeof runTask>[1]): Promise<ChildReport> {
  const parsedTask: ChildTask = JSON.parse(JSON.stringify(task));
  const outcome = parseChildMessage(JSON.stringify(await runTask(parsedTask, tools)));
  switch (outcome.type) {
    case 'done':
      return outcome.report;
    case 'failed':
      throw new MillraceError(outcome.code, outcome.message, outcome);
    default:
      throw new Error(`a task ended with ${outcome.type}`);
  }
}
