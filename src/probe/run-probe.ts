import { serviceCaller } from '../contract/caller.ts';
import type { Exits } from '../egress/exits.ts';
import { readParameters } from '../extraction/request/read-parameters.ts';
import { type SourceQuery, sourceQueryOf } from '../extraction/request/source-query.ts';
import type { FetchSource, SourceExtraction } from '../extraction/source/extract.ts';
import type { Endpoint } from '../platforms/platform.ts';
import type { Probe } from '../platforms/probe.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { classifyFailure } from './findings/classify-failure.ts';
import { combine, driftIf, type Finding, noProblem } from './findings/finding.ts';
import { missingProblems } from './findings/missing-problems.ts';
import { unreadProblems } from './findings/unread-problems.ts';
import { checkMedia, type MediaCheck } from './media/check-media.ts';
import { representativeItems } from './media/representative-items.ts';
import { checkNextPage } from './next-page.ts';

/** A probe of an endpoint, with one of its strategies if the endpoint has several and the probe has media. */
export interface ProbeCase {
  readonly platform: string;
  readonly endpoint: Endpoint;
  readonly probe: Probe;
  readonly strategy?: string;
}

/** What a probe needs to reach its site. */
export interface ProbeAccess {
  readonly fetchSource: FetchSource;
  readonly exits: Exits;
  readonly sealer: Sealer;
}

/** The finding of a probe before the wait, and the checks of its media that remain after it. */
export interface ProbeOutcome {
  readonly finding: Finding;
  readonly media: readonly MediaCheck[];
}

/** What the response to a probe with media must have. */
const mediaExpects: Probe['expects'] = ['contents.0'];

/**
 * Returns the cases of a probe: one for each strategy if media is to arrive from each one. Only the first strategy must
 * have all expected fields, because the others find fewer.
 */
export function casesOf(platform: string, endpoint: Endpoint, probe: Probe): readonly ProbeCase[] {
  if (probe.media !== true) return [{ platform, endpoint, probe }];
  const main = { platform, endpoint, probe: { ...probe, expects: [...new Set([...probe.expects, ...mediaExpects])] } };
  const fallback = { ...main, probe: { ...probe, expects: mediaExpects } };
  const [first, ...others] = probe.strategies ?? endpoint.strategies ?? [];
  if (first === undefined) return [main];
  return [{ ...main, strategy: first }, ...others.map((strategy) => ({ ...fallback, strategy }))];
}

/**
 * Runs a probe up to the wait.
 *
 * @throws The signal's reason.
 */
export async function runProbe(probeCase: ProbeCase, access: ProbeAccess, signal: AbortSignal): Promise<ProbeOutcome> {
  const { probe } = probeCase;
  const fetchPage = async (nextToken?: string): Promise<SourceExtraction> =>
    await access.fetchSource(queryOf(probeCase, access, nextToken), serviceCaller, signal);
  try {
    const extraction = await fetchPage();
    const page = probe.pages === undefined ? noProblem : await checkNextPage(extraction, probe.pages, fetchPage);
    signal.throwIfAborted();
    const media = probe.media === true ? await checkItems(extraction, access.exits, signal) : [];
    const findings = [
      driftIf([...missingProblems(extraction, probe.expects), ...unreadProblems(extraction.unread)]),
      page,
      ...media.map(({ finding }) => finding),
    ];
    return { finding: combine(findings), media };
  } catch (error) {
    signal.throwIfAborted();
    return { finding: classifyFailure(error), media: [] };
  }
}

function queryOf(
  { platform, endpoint, probe, strategy }: ProbeCase,
  { sealer }: ProbeAccess,
  nextToken?: string,
): SourceQuery {
  const parameters = readParameters(endpoint.parameters, {
    ...probe.parameters,
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  return { ...sourceQueryOf(platform, endpoint, parameters, sealer), ...(strategy === undefined ? {} : { strategy }) };
}

async function checkItems(
  { contents, exit }: SourceExtraction,
  exits: Exits,
  signal: AbortSignal,
): Promise<readonly MediaCheck[]> {
  const checks: MediaCheck[] = [];
  for (const item of representativeItems(contents)) checks.push(await checkMedia(item, exits.byId(exit), signal));
  return checks;
}
