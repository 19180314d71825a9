/** @module-tag long */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { fetchJson } from '../support/http-client.ts';
import { deathsOf, linkRequestsFor, turnOff, turnOn } from '../support/lab-links.ts';
import { currentStatus } from '../support/platform-status.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

interface Media {
  readonly profile: string;
  readonly last15Minutes: Readonly<Record<string, number>>;
  readonly lastStatus?: number;
  readonly bytesUntilFailure?: number;
}

interface Status {
  readonly platforms: readonly { readonly id: string; readonly media?: readonly Media[] }[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The tests' own lab, whose links they break. */
let lab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  const proxy = (country: string) => `${country}=http://${country}:any@${new URL(lab.url).host}`;
  service = await startService(lab.url, folder.path, { EGRESS_PROXIES: ['fr', 'be'].map(proxy).join(',') });
});
afterAll(async () => {
  await service.kill();
  await lab.stop();
  await folder.delete();
});

/** Requests the details of a video, by default without the cache. */
async function details(videoId: string, query: string, cacheControl = 'no-cache'): Promise<Result> {
  const { body } = await fetchJson<Result>(`${service.url}/p1/v3/video/details?videoId=${videoId}&${query}`, {
    headers: {
      'x-marketplace-key': keys.MEGA,
      'x-marketplace-host': 'api.example',
      'cache-control': cacheControl,
    },
  });
  return body;
}

const firstOf = ({ contents }: Result): Renderable | undefined => contents?.[0]?.renderableVideos?.[0];

async function mediaOf(profile: string): Promise<Media | undefined> {
  const { platforms } = await currentStatus<Status>(service.url);
  const { media = [] } = platforms.find(({ id }) => id === 'p1') ?? {};
  return media.find((one) => one.profile === profile);
}

describe('an item whose media is refused on a service that has fetched nothing else', () => {
  test('does not change the qualities of other items', async () => {
    expect(await renderItem(firstOf(await details('lab-med-403', 'renderableFormats=1080p')))).toMatchObject({
      status: 'failed',
      error_code: 'source_refused',
    });
    const { contents, notes } = await details('lab-plain30', 'renderableFormats=1080p');
    expect(contents?.[0]?.renderableVideos).toMatchObject([{ label: '1080p', renderConfig: expect.any(Object) }]);
    expect(notes ?? []).not.toContainEqual(expect.stringMatching(/client profile|refused/));
  });
});

describe('a client profile whose media is refused after the first MiB', () => {
  const item = 'lab-plain30';

  test('is replaced during the render, which continues with the media of another one', async () => {
    const before = firstOf(await details(item, 'renderableFormats=1080p'));
    await turnOn(lab.url, 'p1', 'first_mib', { profile: 'visionos/1.04', form: 'file' });
    expect((await renderItem(before)).error).toBeNull();
    expect(await deathsOf(lab.url, item)).toBe(1);
    const clients = await linkRequestsFor(lab.url, item);
    expect(clients[0]).toBe('VISIONOS/1.04');
    expect(clients.at(-1)).not.toBe('VISIONOS/1.04');
  });

  test('is avoided by the next request for the item, which states it, also if a response is cached', async () => {
    const before = (await linkRequestsFor(lab.url, item)).length;
    const { notes, error } = await details(item, 'renderableFormats=1080p', '');
    expect(error).toBeNull();
    expect(notes).toContainEqual(expect.stringMatching(/VISIONOS\b.*refused/));
    const [first] = (await linkRequestsFor(lab.url, item)).slice(before);
    expect(first).not.toBe('VISIONOS/1.04');
  });

  test('is listed by /status with the bytes until its failure', async () => {
    await expect.poll(() => mediaOf('VISIONOS')).toMatchObject({ last15Minutes: { cut: 1 }, lastStatus: 403 });
    // The start of the file was requested twice: the first time to read its headers.
    expect((await mediaOf('VISIONOS'))?.bytesUntilFailure).toBeGreaterThanOrEqual(2 ** 20);
  });
});

describe('client profiles whose files are refused in one country', () => {
  const item = 'lab-old-30s';

  test('are avoided there by the next request, which states what it uses instead', async () => {
    await turnOn(lab.url, 'p1', 'refused', { item, profile: 'visionos/', country: 'FR', form: 'file' });
    const inFrance = 'renderableFormats=720p,lowres&countryCode=FR';
    expect(await renderItem(firstOf(await details(item, inFrance)))).toMatchObject({
      status: 'failed',
      error_code: 'source_refused',
    });
    const { contents, notes } = await details(item, 'renderableFormats=highres&countryCode=FR');
    expect(notes).toContainEqual(expect.stringMatching(/VISIONOS_HLS.*VISIONOS was recently refused/));
    expect((await renderItem(contents?.[0]?.renderableVideos?.[0])).error).toBeNull();
  });

  test('are used in other countries', async () => {
    const { notes, contents } = await details(item, 'renderableFormats=720p&countryCode=BE');
    expect(notes ?? []).not.toContainEqual(expect.stringMatching(/client profile/));
    expect((await renderItem(contents?.[0]?.renderableVideos?.[0])).error).toBeNull();
    await turnOff(lab.url, item);
  });
});
