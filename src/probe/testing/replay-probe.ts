import { readParameters } from '../../extraction/request/read-parameters.ts';
import { sourceQueryOf } from '../../extraction/request/source-query.ts';
import { createPlatforms, defaultSettings } from '../../platforms/index.ts';
import type { Extraction, SourceClient } from '../../platforms/platform.ts';
import { listPageAt } from '../../platforms/probe-fields.ts';
import { createSealer } from '../../sealing/sealer.ts';
import type { ProbeRecording } from './probe-recordings.ts';

const sealer = createSealer(['a secret of the tests']);

/**
 * Runs the endpoint of a recorded probe on its recorded responses: its page, and the next one if the probe requests it.
 *
 * @param source Responds from the recording.
 * @throws MillraceError the errors of the endpoint.
 */
export async function replayProbe(
  recording: ProbeRecording,
  source: SourceClient,
): Promise<readonly [Extraction, ...Extraction[]]> {
  const { platform: id, endpoint: path, strategy, pages: list } = recording;
  const endpoint = createPlatforms(defaultSettings)
    .find((platform) => platform.id === id)
    ?.endpoints.find((each) => each.path === path);
  if (endpoint === undefined)
    throw new Error(`${recording.name} names the endpoint ${id}${path}, which does not exist`);
  const extract = async (nextToken?: string): Promise<Extraction> => {
    const values = { ...recording.parameters, ...(nextToken === undefined ? {} : { nextToken }) };
    const query = sourceQueryOf(id, endpoint, readParameters(endpoint.parameters, values), sealer);
    return await endpoint.extract(query.parameters, {
      source,
      countries: [],
      sourceIn: () => source,
      pages: query.pages,
      requestsPart: query.isRequested,
      profileOrder: (profiles) => (strategy === undefined ? profiles : [strategy]),
      ...(strategy === undefined ? {} : { strategy }),
      timeLeft: () => 25_000,
      signal: AbortSignal.timeout(60_000),
    });
  };
  const first = await extract();
  const nextToken = list === undefined ? undefined : listPageAt(first, list)?.nextToken;
  return nextToken === undefined || nextToken === null ? [first] : [first, await extract(nextToken)];
}
