import type { Result } from '../../test/support/envelope.ts';
import {
  describeJob,
  extract,
  fetchJson,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../../test/support/http-client.ts';
import { labFile } from '../../test/support/lab-client.ts';
import {
  type FinishedJob,
  type FixtureKey,
  type FixtureRecord,
  idsOn,
  type ListPage,
  linkAt,
  membersCalled,
  receiverHost,
  sha256,
} from '../../test/support/upgrade/fixture-record.ts';

/** Lists whose second page is left to be requested later. */
const lists = [
  '/p1/v3/playlist?playlistId=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR',
  '/p1/v3/search?query=mills',
  '/p1/v3/video/comments?videoId=lab-plain30',
  '/p1/v3/channel/videos?channelId=UC85zAYFztyDQQgidr86JyUQ&contentType=videos',
  '/p3/v3/profile/photos?url=https%3A%2F%2Fwww.facebook.com%2Fthelab',
];

const MONTH_S = 30 * 24 * 3600;
const MAX_TTL_MS = 86_400_000;

/** Access to a service: its URL and its admin API. */
interface ServiceAccess {
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: string;
}

type Job = ReturnType<typeof describeJob>;

/**
 * Creates keys in a service, jobs in every state, and every kind of link and token that callers receive. The service
 * must have one worker slot.
 */
export async function populate({
  url,
  adminUrl,
  adminToken,
}: ServiceAccess): Promise<Omit<FixtureRecord, 'version' | 'commit' | 'at'>> {
  const keys = await makeKeys();
  const jobs = await finishJobs();
  const pages: ListPage[] = [];
  for (const request of lists) pages.push(await firstPage(request, keys.extraction.key));
  const stored = await storeJob();
  const order = await orderOf('xlab2', keys.extraction.key);
  const relayed = await relayedMedia(keys.extraction.key);
  const usage = await usageOf(keys.extraction);
  // Created last, because these jobs must still exist when the service is killed.
  const waiting = await leaveWaiting();
  return { keys, usage, jobs: { ...jobs, ...waiting }, stored, order, relayed, pages };

  async function admin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetchJson<Body>(`${adminUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(body === undefined ? {} : jsonBody) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 300)
      throw new Error(`${path} responded with ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async function makeKeys(): Promise<FixtureRecord['keys']> {
    const make = (kind: string) =>
      admin<FixtureKey>('POST', '/admin/keys', { kind, plan: 'MEGA', name: `made ${kind}` });
    const [extraction, render, first, revoked] = [
      await make('extraction'),
      await make('render'),
      await make('extraction'),
      await make('extraction'),
    ];
    const graceSeconds = MONTH_S;
    const { key } = await admin<FixtureKey>('POST', `/admin/keys/${first.id}/rotate`, { graceSeconds });
    await admin('DELETE', `/admin/keys/${revoked.id}`);
    return {
      extraction: pickIdAndKey(extraction),
      render: pickIdAndKey(render),
      rotated: { id: first.id, before: first.key, now: key },
      revoked: pickIdAndKey(revoked),
    };
  }

  async function usageOf({ id }: FixtureKey): Promise<FixtureRecord['usage']> {
    const { usage } = await admin<{ usage: FixtureRecord['usage'][] }>('GET', `/admin/keys/${id}`);
    const [month] = usage;
    if (month === undefined) throw new Error(`key ${id} has no usage`);
    return { credits: month.credits, requests: month.requests };
  }

  async function start(job: Job): Promise<string> {
    const { status, body } = await post<StartedJob>(`${url}/api/v1/render/execute`, job);
    if (status !== 202) throw new Error(`the job was not accepted: ${JSON.stringify(body)}`);
    return job.id;
  }

  function waitForEnd(id: string): Promise<StatusEvent> {
    return outcome(`${url}/api/v1/render/status/sse/${id}`);
  }

  async function waitForFile(id: string): Promise<FinishedJob> {
    const event = await waitForEnd(id);
    if (event.output === null) throw new Error(`job ${id} ended as ${event.status}: ${event.error}`);
    return { event, sha256: sha256(await downloadBytes(linkAt(url, event.output.url))) };
  }

  async function finishJobs() {
    const copied = await waitForFile(await start(clipTo('mp4')));
    const audio = await waitForFile(await start(clipTo('m4a', 'extract_audio')));
    const { executionUrl, jobId } = await orderOf('xlab2', 'test-mega-key');
    await fetchJson<StartedJob>(linkAt(url, executionUrl));
    const sealed = { ...(await waitForFile(jobId)), executionUrl };
    const notified = await waitForFile(await start({ ...clipTo('mp4'), ...webhook }));
    const { body } = await fetchJson<{ deliveries: { id: string }[] }>(
      `${url}/api/v1/render/jobs/${notified.event.job_id}/deliveries`,
      { headers: { authorization: 'Bearer test-render-key' } },
    );
    const deliveryId = body.deliveries[0]?.id;
    if (deliveryId === undefined) throw new Error('the webhook was not delivered');
    const failed = await waitForEnd(await start(clipTo('mp4', 'convert_format', { status: 404 })));
    const slow = clipTo('mp4', 'convert_format', { throttle: 5_000 });
    await start(slow);
    const cancelling = { method: 'DELETE', headers: { authorization: 'Bearer test-render-key' } };
    await fetchJson(`${url}/api/v1/render/jobs/${slow.id}`, cancelling);
    const cancelled = await waitForEnd(slow.id);
    return { copied, audio, sealed, notified: { ...notified, deliveryId }, failed, cancelled };
  }

  async function firstPage(request: string, key: string): Promise<ListPage> {
    const { body } = await extract<Result>(`${url}${request}`, key);
    const [nextToken] = membersCalled('nextToken', body);
    if (typeof nextToken !== 'string') throw new Error(`${request} has no next page: ${JSON.stringify(body.error)}`);
    const next = await extract<Result>(`${url}${request}&nextToken=${nextToken}`, key);
    return { request, nextToken, nextIds: idsOn(next.body.metadata) };
  }

  async function orderOf(videoId: string, key: string): Promise<FixtureRecord['order']> {
    const { body } = await extract<Result>(
      `${url}/p5/v3/video/details?videoId=${videoId}&renderableFormats=lowres`,
      key,
    );
    const { repId: jobId, renderConfig } = body.contents?.[0]?.renderableVideos?.[0] ?? {};
    if (jobId === undefined || renderConfig === undefined) throw new Error(`${videoId} cannot be rendered`);
    return { executionUrl: renderConfig.executionUrl, jobId };
  }

  async function storeJob(): Promise<FixtureRecord['stored']> {
    const job = { ...clipTo('mkv'), ttl: MAX_TTL_MS };
    const { body } = await post<{ executionUrl: string }>(`${url}/api/v1/render/cache`, job);
    return { executionUrl: body.executionUrl, jobId: job.id };
  }

  async function relayedMedia(key: string): Promise<FixtureRecord['relayed']> {
    const query = 'videoId=lab-plain30&urlAccess=proxied&fields=contents';
    const { body } = await extract<Result>(`${url}/p1/v3/video/details?${query}`, key);
    const item = body.contents?.[0]?.videos?.find(({ label }) => label === '144p');
    if (item === undefined) throw new Error('no relay link was returned');
    return { url: item.url, sha256: sha256(await downloadBytes(linkAt(url, item.url))) };
  }

  async function leaveWaiting() {
    const underWay = await start(clipTo('mp4', 'convert_format', { throttle: 10_000 }));
    const queued = await start(clipTo('mkv'));
    const queuedWithWebhook = await start({ ...clipTo('mov'), ...webhook });
    // Waits until a part of the job's input is on disk.
    for (const deadline = Date.now() + 60_000; ; ) {
      const { body } = await fetchJson<StatusEvent>(`${url}/api/v1/render/jobs/${underWay}`);
      if (body.status === 'downloading_inputs' && body.progress > 5) return { underWay, queued, queuedWithWebhook };
      if (Date.now() > deadline) throw new Error(`${underWay} is not running: ${JSON.stringify(body)}`);
    }
  }
}

const jsonBody = { 'content-type': 'application/json' };
const webhook = { webhook: { url: `https://${receiverHost}/render`, secret: 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl' } };

/** Describes a job with a clip of two seconds. */
function clipTo(ext: string, type = 'convert_format', faults: Record<string, string | number> = {}): Job {
  const input = { url: labFile('/media/amber-2/movie-144.mp4', faults).url, ext: 'mp4' };
  return describeJob(type, [input], ext, { ttl: MAX_TTL_MS, chunkDownload: { concurrency: 1 } });
}

function pickIdAndKey({ id, key }: FixtureKey): FixtureKey {
  return { id, key };
}

async function downloadBytes(link: string): Promise<Buffer> {
  const response = await fetch(link);
  if (response.status !== 200) throw new Error(`${link} responded with ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
