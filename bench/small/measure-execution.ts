import { channelCount, channelOf } from '../../lab/platforms/youtube/world/channels.ts';
import { videoAt } from '../../lab/platforms/youtube/world/videos.ts';
import type { Result } from '../../test/support/envelope.ts';
import { extract, fetchJson, follow, type StartedJob } from '../../test/support/http-client.ts';
import { startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { percentile, printLine } from '../measure.ts';

const SECONDS = 60;
/** Executions in a round. */
const EXECUTIONS = 8;

/**
 * Measures the seconds from the call of an execution URL to the final event of its job, one after the other on an idle
 * service with all roles. The jobs join video and audio of a one-minute video in 720p, without re-encoding.
 */
export async function measureExecution(rounds: number): Promise<void> {
  const lab = await startLab();
  const folder = await temporaryFolder();
  try {
    const service = await startService(lab.url, folder.path, { LOG_LEVEL: 'error' });
    try {
      const count = rounds * EXECUTIONS;
      // The first three executions warm up compilers and caches, including the lab's media.
      const urls = await executionUrls(service.url, count + 3);
      const times: number[] = [];
      for (const url of urls) times.push(await timeExecution(url));
      const measuredTimes = times.slice(-count);
      const at = (share: number) => percentile(measuredTimes, share).toFixed(2);
      printLine(`execution: from the execution URL of a ${SECONDS}-second video to its finished file, ${count} times`);
      printLine(`  p50 ${at(0.5)} s (target 1.5), p95 ${at(0.95)} s (target 2.5)`);
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
    await folder.delete();
  }
}

async function timeExecution(url: string): Promise<number> {
  const startedAt = performance.now();
  const { body } = await fetchJson<StartedJob>(url);
  const last = (await follow(body.sseStatusUrl)).at(-1);
  if (last?.status !== 'done') throw new Error(`a job of the benchmark failed: ${last?.error}`);
  return (performance.now() - startedAt) / 1000;
}

/** Returns execution URLs of different lab videos, because all execution URLs of one video refer to the same job. */
async function executionUrls(serviceUrl: string, count: number): Promise<string[]> {
  const videos = Array.from({ length: channelCount }, (_, number) => channelOf(number))
    .flatMap((channel) => Array.from({ length: channel.counts.videos }, (_, at) => videoAt(channel, 'video', at)))
    .filter(({ seconds, refusal }) => seconds === SECONDS && refusal === undefined);
  const urls: string[] = [];
  for (const { id } of videos.slice(0, count)) {
    const query = `videoId=${id}&renderableFormats=720p`;
    const { body } = await extract<Result>(`${serviceUrl}/p1/v3/video/details?${query}`);
    const url = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl;
    if (url === undefined) throw new Error(`video ${id} has no execution URL: ${JSON.stringify(body.error)}`);
    urls.push(url);
  }
  return urls;
}
