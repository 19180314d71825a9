import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
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
  try {
    const late = sleep(FACTS_TIMEOUT_MS, signal, { ref: false });
    const response = await Promise.race([requestFacts(source, site, videoId), late]);
    return (response && parseFacts(response.text)) ?? unreachable;
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return unreachable;
  }
}
