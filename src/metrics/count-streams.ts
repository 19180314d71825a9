import type { StatusHub } from '../render/status/status-hub.ts';
import type { Metrics } from './metrics.ts';

/** The same hub; who listens is counted, until the job's end or until they leave. */
export function countStreams(hub: StatusHub, metrics: Metrics): StatusHub {
  return {
    ...hub,
    listen(jobId, listener) {
      let over: (() => void) | undefined = metrics.statusStream();
      const end = () => {
        over?.();
        over = undefined;
      };
      const stop = hub.listen(jobId, {
        event(text, final) {
          if (final) end();
          listener.event(text, final);
        },
      });
      return () => {
        end();
        stop();
      };
    },
  };
}
