/** @module-tag long */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { describeJob, outcome, post, run, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { lateSegments, startLateHost } from '../support/late-host.ts';
import { canMeasureStalls } from '../support/loop-stall.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { mediaPlaylist } from '../support/playlist-source.ts';
import { startService, temporaryFolder } from '../support/processes.ts';

/*
 * What the servers of media make the service hold in memory.
 */

/**
 * Megabytes far above what the downloads of one job and of all jobs hold, with what is in transit over each connection.
 * Without a common budget, a job would hold 500 MB.
 */
const MOST_JOB_MEMORY_MB = 150;
const MOST_MEMORY_MB = 600;
/** All playlists of the previews would take 1,300 MB. */
const MOST_PLAYLIST_MEMORY_MB = 300;
const INPUTS = 4;
/** A segment is held up to 8 MiB. */
const SEGMENT_BYTES = 9 * 1024 * 1024;

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

// The jobs of one key have 128 connections to a host.
test.skipIf(!canMeasureStalls).each([
  ['of 1 job', 1, lateSegments, undefined, MOST_JOB_MEMORY_MB],
  ['of 4 jobs', 4, 7, undefined, MOST_MEMORY_MB],
  ['of 1 job in Brotli coding', 1, lateSegments, 'br', MOST_JOB_MEMORY_MB],
] as const)(
  'segments %s that arrive before the first one has ended take little memory',
  async (_of, count, concurrency, coding, most) => {
    const folder = await temporaryFolder();
    closers.push(folder.delete);
    const host = await startLateHost(SEGMENT_BYTES, coding);
    closers.push(host.close);
    const service = await startService(lab, folder.path, {
      EGRESS_CONNECT_TO: `late.example=${host.url},*=${lab}`,
      WORKER_CONCURRENCY: `${count}`,
    });
    closers.push(service.stop);
    // Code that the first job loads and compiles is not part of the cost of a hostile one.
    const { url } = labFile('/hls/amber-2/180/index.m3u8');
    await run(service.url, describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4'));
    const input = { url: 'http://late.example/index.m3u8', ext: 'm3u8' };
    const job = () =>
      describeJob('join_streams', Array(INPUTS).fill(input), 'mkv', {
        HLSPlaylistDownload: { concurrency },
      });
    const growth = await peakMemory(service, async () => {
      const jobs = await Promise.all(
        Array.from({ length: count }, () => post<StartedJob>(`${service.url}/api/v1/render/execute`, job())),
      );
      const expected = count * INPUTS * (concurrency - 1) * host.bytesPerSegment;
      await expect.poll(() => host.sentBytes, { timeout: 300_000 }).toBeGreaterThanOrEqual(expected);
      host.endSegments();
      for (const { body } of jobs) expect(await outcome(body.sseStatusUrl)).toMatchObject({ status: 'failed' });
    });
    expect(growth).toBeLessThanOrEqual(most);
  },
);

/** Number of previews that one account has at once. */
const PREVIEWS = 8;

/** Starts a host of playlists with the most segments at the longest addresses. It sends no segment. */
async function startPlaylistHost(): Promise<string> {
  const lines = Array.from({ length: 99_000 }, (_, at) => `#EXTINF:1,\nt${at}\n`);
  const playlist = Buffer.from(mediaPlaylist(lines.join('')));
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.m3u8')) response.end(playlist);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.skipIf(!canMeasureStalls)('the playlists of the previews of an account take little memory', async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  const host = await startPlaylistHost();
  const service = await startService(lab, folder.path, {
    EGRESS_CONNECT_TO: `*.lists.example=${host},*=${lab}`,
  });
  closers.push(service.stop);
  const { url } = labFile('/hls/amber-2/180/index.m3u8');
  await run(service.url, describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4'));
  const preview = (at: number) => {
    const address = `http://h${at}.lists.example/${'a'.repeat(130)}/index.m3u8`;
    const job = describeJob('join_streams', Array(INPUTS).fill({ url: address, ext: 'm3u8' }), 'mkv');
    return post<{ readonly problems: readonly unknown[] }>(`${service.url}/api/v1/render/execute?plan=only`, job);
  };
  const growth = await peakMemory(service, async () => {
    const previews = await Promise.all(Array.from({ length: PREVIEWS }, (_, at) => preview(at)));
    for (const { body } of previews) expect(body.problems).toHaveLength(INPUTS);
  });
  expect(growth).toBeLessThanOrEqual(MOST_PLAYLIST_MEMORY_MB);
});
