import type { ChildLog } from './child/engine-child.ts';
import type { Engine } from './engine.ts';

/** Returns an engine whose children write to a log of the caller, such as the log of a job. */
export function engineWithLog(engine: Engine, log: ChildLog): Engine {
  return {
    process: (task, call) => engine.process(task, { ...call, log }),
    finish: (task, call) => engine.finish(task, { ...call, log }),
    makeSlideshow: (task, call) => engine.makeSlideshow(task, { ...call, log }),
    probe: (task, call) => engine.probe(task, { ...call, log }),
    isolation: engine.isolation,
    ready: engine.ready,
    get children() {
      return engine.children;
    },
    close: () => engine.close(),
  };
}
