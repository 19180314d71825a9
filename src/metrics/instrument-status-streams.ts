import type { StatusHub } from '../render/status/status-hub.ts';
import type { Metrics } from './metrics.ts';

/** Wraps a hub so that its listeners are counted, each until its job ends or it disconnects. */
export function instrumentStatusStreams(hub: StatusHub, metrics: Metrics): StatusHub {
  return {
    ...hub,
    listen(jobId, listener) {
      let over: (() => void) | undefined = metrics.statusStream();
      const end = () => {
        over?.();
        over = undefined;
      };
      const stop = hub.listen(jobId, {
        onEvent(text, final) {
          if (final) end();
          listener.onEvent(text, final);
        },
      });
      return () => {
        end();
        stop();
      };
    },
  };
}
