import { MillraceError } from '../../contract/errors.ts';
import { startTimeLimit } from '../../waiting/time-limit.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { SourceClient } from '../platform.ts';
import { type FactsResult, parseFacts } from './parse/rest-facts.ts';
import { requestFacts } from './requests.ts';
import { FACTS_TIMEOUT_MS, type Site } from './site.ts';

const unreachable: FactsResult = {
  notes: ["The description and the counts are missing, because the site's REST interface did not return them."],
};

/**
 * Requests the fields that only the legacy REST interface has. They are optional: without them, the video is returned
 * with a note. The wait is limited, including retries.
 */
export async function findFacts(
  videoId: string,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<FactsResult> {
  const limit = startTimeLimit(FACTS_TIMEOUT_MS);
  try {
    const ended = AbortSignal.any([signal, limit.signal]);
    const response = await untilAborted(requestFacts(source, site, videoId), ended);
    return parseFacts(response.text) ?? unreachable;
  } catch (error) {
    if (!(error instanceof MillraceError || limit.signal.aborted) || signal.aborted) throw error;
    return { ...unreachable, incomplete: true };
  } finally {
    limit.end();
  }
}
