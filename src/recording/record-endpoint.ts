import type { Endpoint } from '../platforms/platform.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';

/** Returns an endpoint whose exchanges with its site are recorded. */
export function recordEndpoint(endpoint: Endpoint, recorder: ExchangeRecorder): Endpoint {
  return {
    ...endpoint,
    extract: (parameters, context) =>
      endpoint.extract(parameters, {
        ...context,
        source: recorder.wrap(context.source),
        sourceIn: (country) => recorder.wrap(context.sourceIn(country)),
      }),
  };
}
