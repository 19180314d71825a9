import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { serviceCaller } from '../../../contract/caller.ts';
import type { Job } from '../../../contract/job.ts';
import type { MediaFetch } from '../../../contract/media-fetch.ts';
import type { JobOrigin, Representation } from '../../../contract/media-origin.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import { createEgress } from '../../../egress/create-egress.ts';
import type { FreshLink, FreshLinks } from '../../../link-healing/fresh-links.ts';
import type { HealRequest } from '../../../link-healing/link-healer.ts';
import { type DownloadContext, downloadInputs } from '../download-inputs.ts';
import { createTimeBudgets } from '../fetch-within-budget.ts';
import { createJobLinks } from '../links/job-links.ts';
import type { LinkReplacement, LinkServices } from '../links/link-port.ts';
import { type RequestHandler, rangeOf, startOrigin } from './origin.ts';

/** How a link behaves. Its version is the parameter `v` of its URL. */
interface LinkBehavior {
  /** Number of bytes after which the link is refused; unlimited by default. */
  readonly bytes?: number;
  /** Status of a refusal; default 403. */
  readonly status?: number;
  /** Content that is served; default: that of the handler. */
  readonly body?: Buffer;
  readonly type?: string;
}

/** A file whose links die. */
export interface LinkedFile {
  readonly handler: RequestHandler;
  /** Number of bytes that each link has served. */
  readonly served: Map<number, number>;
}

/**
 * Serves a file with ranges through links that die after some bytes, even in the middle of a response. Each link has its
 * own entity tag, as if another host served it.
 */
export function serveLinks(body: Buffer, links: readonly LinkBehavior[]): LinkedFile {
  const served = new Map<number, number>();
  const handler: RequestHandler = (request, response) => {
    const version = Number(new URL(request.url ?? '', 'http://origin').searchParams.get('v'));
    const link = links[version] ?? {};
    const content = link.body ?? body;
    const before = served.get(version) ?? 0;
    const remaining = (link.bytes ?? Number.POSITIVE_INFINITY) - before;
    if (remaining <= 0) return void response.writeHead(link.status ?? 403).end();
    const range = rangeOf(request, content.length);
    const { from, to } = range ?? { from: 0, to: content.length - 1 };
    if (from >= content.length) return void response.writeHead(416).end();
    const part = content.subarray(from, to + 1);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': part.length,
      'content-type': link.type ?? 'video/mp4',
      etag: `"${version}"`,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${content.length}` }),
    });
    served.set(version, before + Math.min(part.length, remaining));
    if (remaining >= part.length) response.end(part);
    else response.write(part.subarray(0, remaining), () => response.socket?.end());
  };
  return { handler, served };
}

/** Returns the number of bytes that all links of files have served. */
export function servedBytes(...files: readonly LinkedFile[]): number {
  return files.flatMap(({ served }) => [...served.values()]).reduce((sum, bytes) => sum + bytes, 0);
}

/** An input of a job whose links can be replaced. */
interface HealableInput extends Record<string, unknown> {
  readonly url: string;
  readonly ext?: string;
}

/** A response of the healer. Links are paths at the test's origin, or complete. */
export type HealResponse = { profile?: string; links: readonly (string | FreshLink | undefined)[] } | undefined;

/** Parameters of {@link runHealable}. */
interface HealableRun {
  readonly handlers: Record<string, RequestHandler>;
  readonly inputs: readonly HealableInput[];
  /** Responds to a request for new links; `count` is 1 for the first. Default: the paths with the number as `v`. */
  readonly heal?: (request: HealRequest, signal: AbortSignal, count: number) => HealResponse | Promise<HealResponse>;
  /** Expiry of each input's link. */
  readonly expiresAt?: readonly (number | undefined)[];
  /** False for a job that a caller described. */
  readonly hasOrigin?: boolean;
  readonly job?: Record<string, unknown>;
  readonly signal?: AbortSignal;
  /** Kept after the run if it is given. */
  readonly directory?: string;
  readonly onProgress?: (fraction: number) => void;
}

/** What a test of a run can observe. */
export interface HealableRunLog {
  readonly healRequests: HealRequest[];
  readonly reports: MediaFetch[];
  readonly replacements: LinkReplacement[];
}

/** The place where a run works. */
export interface RunPlace {
  readonly job: Job;
  readonly context: DownloadContext;
  readonly services: LinkServices;
}

/**
 * Fetches the inputs of a job whose links can be replaced. Returns the result of `fetch`, or its error.
 *
 * @param fetch Default: returns the inputs as complete files.
 */
export async function runHealable<Result = Awaited<ReturnType<typeof downloadInputs>>>(
  run: HealableRun,
  fetch: (place: RunPlace) => Promise<Result> = async ({ job, context }) =>
    // The default type of the result.
    (await downloadInputs(job, context)) as Result,
) {
  const log: HealableRunLog = { healRequests: [], reports: [], replacements: [] };
  const directory = run.directory ?? (await mkdtemp(join(tmpdir(), 'millrace-healing-')));
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const origin = await startOrigin(run.handlers);
  const signal = run.signal ?? new AbortController().signal;
  const exts = run.inputs.map(({ ext = 'mp4' }) => ext);
  const parsedJob = parseJob({
    id: 'job',
    inputs: run.inputs.map((input, index) => ({ ext: exts[index], ...input, url: `${origin.url}${input.url}` })),
    output: { ext: 'mp4' },
    operation: { type: 'join_streams' },
    ...run.job,
  });
  const job = run.hasOrigin === false ? parsedJob : { ...parsedJob, origin: originOf(run) };
  const fresh = (link: string | FreshLink | undefined, index: number) =>
    typeof link === 'string' ? { url: `${origin.url}${link}`, ext: exts[index] ?? 'mp4', headers: {} } : link;
  const services: LinkServices = {
    owner: 'me',
    exit: { id: 'fr-1', country: 'FR' },
    healer: {
      async heal(request, healSignal): Promise<FreshLinks | undefined> {
        log.healRequests.push(request);
        const count = log.healRequests.length;
        const links = run.inputs.map(({ url }) => `${url}?v=${count}`);
        const response = await (run.heal ?? (() => ({ profile: `profile-${count}`, links })))(
          request,
          healSignal,
          count,
        );
        return response && { ...response, links: response.links.map(fresh) };
      },
    },
    reportMediaFetch: (report) => log.reports.push(report),
    onReplaced: (replacement) => log.replacements.push(replacement),
  };
  const links = createJobLinks(job, services);
  const context: DownloadContext = {
    egress,
    caller: serviceCaller,
    directory,
    signal,
    budgets: createTimeBudgets(job),
    pause: async () => undefined,
    onProgress: run.onProgress ?? (() => undefined),
    links,
  };
  try {
    const result = await fetch({ job, context, services });
    return { ...log, result, error: undefined, requests: origin.requestLog, directory };
  } catch (error) {
    return { ...log, result: undefined, error, requests: origin.requestLog, directory };
  } finally {
    links.close();
    await egress.close();
    await origin.close();
    if (run.directory === undefined) await rm(directory, { recursive: true, force: true });
  }
}

function originOf({ inputs, expiresAt = [] }: HealableRun): JobOrigin {
  return {
    platform: 'p1',
    endpoint: '/video/details',
    parameters: { videoId: 'abc' },
    content: 0,
    profile: 'profile-0',
    representations: inputs.map(({ url }, index): Representation => {
      const expiry = expiresAt[index];
      return { repId: url, kind: 'video', ...(expiry === undefined ? {} : { expiresAt: expiry }) };
    }),
  };
}
