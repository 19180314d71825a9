import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { dataOf, desktop, phone } from '../platforms/tiktok/testing.ts';
import { type CallSite, siteCaller, under, type Value } from '../platforms/youtube/testing.ts';
import { fetchThrough, json, startTestLab, type TestResponse } from '../testing.ts';

let lab: Lab;
let site: CallSite;
let visitorData: unknown;

beforeAll(async () => {
  lab = await startTestLab();
  site = siteCaller(lab);
  visitorData = Object((await site('visitor_id', {}, { clientName: 'VISIONOS' })).body.responseContext).visitorData;
});
afterAll(() => lab.close());
afterEach(() => control('DELETE'));

const quick = 'lab-min-002';
const post = '7559142440960000002';

const control = async (method: string, query = '') =>
  json(await fetchThrough(lab, `${lab.url}/_lab/media?${query}`, { method })) as unknown as Value[];
const turnOn = (query: string) => control('POST', query);
const player = async (clientVersion = '1.04') =>
  (await site('player', { videoId: quick }, { clientName: 'VISIONOS', clientVersion, visitorData })).body;
const statusIn = (body: Value) => Object(body.playabilityStatus).status;

/** Returns the link and the declared size of a file of p1. */
async function linkOf(itag: number, clientVersion?: string): Promise<{ url: string; bytes: number }> {
  const formats = under(await player(clientVersion), 'adaptiveFormats').flat() as unknown as Value[];
  const format = formats.find((each) => each.itag === itag);
  return { url: String(format?.url), bytes: Number(format?.contentLength) };
}

const fetchFile = (url: string, first?: number, country?: string) =>
  fetchThrough(lab, url, {
    headers: {
      'user-agent': 'test',
      ...(first === undefined ? {} : { range: `bytes=${first}-` }),
      ...(country === undefined
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(`${country}:`).toString('base64')}` }),
    },
  });
const outcome = ({ status, body, broken }: TestResponse) => [status, body.length, broken];

describe('a file of p1', () => {
  test('is served through a link that works', async () => {
    const { url, bytes } = await linkOf(134);
    expect(outcome(await fetchFile(url))).toEqual([200, bytes, false]);
  });

  test('breaks off at a byte, and its link is refused from then on', async () => {
    await turnOn(`p1=dies&item=${quick}&file=134&at=2000&times=1`);
    const { url, bytes } = await linkOf(134);
    expect(outcome(await fetchFile(url))).toEqual([200, 2000, true]);
    expect((await fetchFile(url)).status).toBe(403);
    expect((await fetchFile((await linkOf(136)).url)).status).toBe(200);
    const fresh = await linkOf(134);
    expect(outcome(await fetchFile(fresh.url, 2000))).toEqual([206, bytes - 2000, false]);
    expect(await control('GET')).toEqual([
      expect.objectContaining({ platform: 'p1', name: 'dies', at: [2000], times: 1, deaths: { [quick]: 1 } }),
    ]);
  });

  test('breaks off at the next byte of a list through each new link', async () => {
    await turnOn('p1=dies&file=134&at=1000,3000&times=2');
    expect((await fetchFile((await linkOf(134)).url)).body.length).toBe(1000);
    expect((await fetchFile((await linkOf(134)).url, 1000)).body.length).toBe(2000);
    expect((await fetchFile((await linkOf(134)).url, 3000)).broken).toBe(false);
  });

  test('breaks off after a number of bytes of each link', async () => {
    await turnOn('p1=dies&after=700');
    const { url } = await linkOf(134);
    expect(outcome(await fetchFile(url, 500))).toEqual([206, 700, true]);
    expect((await fetchFile(url, 0)).status).toBe(403);
  });

  test('is refused at an age of its link', async () => {
    await turnOn('p1=dies&age=0&times=1');
    expect((await fetchFile((await linkOf(134)).url)).status).toBe(403);
    expect((await fetchFile((await linkOf(134)).url)).status).toBe(200);
  });

  test('is refused before the first byte', async () => {
    await turnOn(`p1=refused&item=${quick}&times=2`);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await fetchFile((await linkOf(134)).url)).status);
    expect(statuses).toEqual([403, 403, 200]);
  });

  test('is refused through the links of one version of a client, in one country', async () => {
    await turnOn('p1=refused&profile=visionos/1.02&country=in');
    const [older, newer] = [await linkOf(134, '1.02'), await linkOf(134, '1.04')];
    expect((await fetchFile(older.url)).status).toBe(200);
    expect((await fetchFile(older.url, undefined, 'in')).status).toBe(403);
    expect((await fetchFile(newer.url, undefined, 'in')).status).toBe(200);
  });

  test('is refused beyond its first MiB, though its link has not expired', async () => {
    await turnOn('p1=first_mib');
    const large = await site('player', { videoId: 'lab-plain30' }, { clientName: 'VISIONOS', visitorData });
    const formats = under(large.body, 'adaptiveFormats').flat() as unknown as Value[];
    const { url } = formats.find((each) => Number(each.contentLength) > 2 ** 20) ?? {};
    expect(outcome(await fetchFile(String(url)))).toEqual([200, 2 ** 20, true]);
    expect((await fetchFile(String(url))).status).toBe(403);
    expect(Number(new URL(String(url)).searchParams.get('expire')) * 1000).toBeGreaterThan(Date.now());
  });

  test('expires early', async () => {
    await turnOn('p1=expires&age=0');
    const { url } = await linkOf(134);
    expect(Number(new URL(url).searchParams.get('expire')) * 1000).toBeLessThanOrEqual(Date.now());
    expect((await fetchFile(url)).status).toBe(403);
  });

  test('has another size through new links', async () => {
    const before = await linkOf(134);
    await turnOn(`p1=resized&item=${quick}`);
    const after = await linkOf(134);
    expect(after.bytes).not.toBe(before.bytes);
    expect(outcome(await fetchFile(before.url))).toEqual([200, before.bytes, false]);
    expect(outcome(await fetchFile(after.url))).toEqual([200, after.bytes, false]);
  });

  test('has another address through new links', async () => {
    await turnOn(`p1=elsewhere&file=134&to=${encodeURIComponent('http://169.254.169.254/latest')}`);
    expect((await linkOf(134)).url).toBe('http://169.254.169.254/latest');
    expect(new URL((await linkOf(136)).url).host).toContain('googlevideo.com');
  });
});

test.each([
  ['removed', 'ERROR'],
  ['private', 'LOGIN_REQUIRED'],
  ['age_restricted', 'LOGIN_REQUIRED'],
])('p1 says that an item is %s', async (name, status) => {
  await turnOn(`p1=${name}&item=${quick}`);
  const body = await player();
  expect([statusIn(body), under(body, 'adaptiveFormats')]).toEqual([status, []]);
  await control('DELETE', `item=${quick}`);
  expect(statusIn(await player())).toBe('OK');
});

describe('p4', () => {
  const page = (headers: Record<string, string>) =>
    fetchThrough(lab, `https://www.tiktok.com/@_/video/${post}`, { headers });
  const fetchPlayed = async (headers: Record<string, string>) => {
    const response = await page(headers);
    const { playAddr } = Object(under(dataOf(response.body.toString()), 'itemStruct')[0]).video;
    const cookie = response.headers['set-cookie']?.map((each) => each.split(';')[0]).join('; ') ?? '';
    return fetchThrough(lab, playAddr, {
      headers: { ...headers, cookie, referer: 'https://www.tiktok.com/' },
    });
  };

  test('refuses the media of the page for desktops', async () => {
    await turnOn(`p4=refused&item=${post}&profile=desktop`);
    expect([(await fetchPlayed(desktop)).status, (await fetchPlayed(phone)).status]).toEqual([403, 200]);
  });

  test('breaks off a file once', async () => {
    await turnOn('p4=dies&file=movie-360.mp4&at=900&times=1');
    expect(outcome(await fetchPlayed(desktop))).toEqual([200, 900, true]);
    expect((await fetchPlayed(desktop)).broken).toBe(false);
  });

  test('serves a file of another size after a change', async () => {
    const before = await fetchPlayed(desktop);
    await turnOn('p4=resized');
    const after = await fetchPlayed(desktop);
    expect([after.status, after.body.length === before.body.length]).toEqual([200, false]);
  });

  test('says that a post was removed', async () => {
    await turnOn(`p4=removed&item=${post}`);
    expect((await page(desktop)).body.toString()).toContain('status_deleted');
  });
});

describe('p5', () => {
  const metadata = (host = 'www.dailymotion.com/player/metadata/video/xlab2') => fetchThrough(lab, `https://${host}`);
  const fetchPlaylist = async (host?: string) => {
    const [manifest] = Object(json(await metadata(host)).qualities).auto;
    const master = (await fetchThrough(lab, manifest.url)).body.toString();
    const [url = ''] = /^https:.*$/m.exec(master) ?? [];
    return fetchThrough(lab, url.replace(/#.*/, ''));
  };

  test('refuses the media of its player', async () => {
    await turnOn('p5=refused&profile=player&times=1');
    const viaEmbed = await fetchPlaylist('geo.dailymotion.com/video/xlab2.json');
    const statuses = [viaEmbed.status, (await fetchPlaylist()).status, (await fetchPlaylist()).status];
    expect(statuses).toEqual([200, 403, 200]);
  });

  test('says that a video is private', async () => {
    await turnOn('p5=private&item=xlab2');
    expect((await metadata()).body.toString()).toContain('DM010');
  });
});

test('behaviours are turned off by platform and item', async () => {
  await turnOn(`p1=refused&item=${quick}`);
  await turnOn(`p4=refused&item=${post}`);
  expect(await control('DELETE', 'platform=p1')).toMatchObject([{ platform: 'p4' }]);
  expect(await control('DELETE', `item=${quick}`)).toMatchObject([{ platform: 'p4' }]);
  expect(await control('DELETE', `item=${post}`)).toEqual([]);
});

test.each([
  ['p2=refused', 'Name one of p1, p4, p5'],
  ['p1=refused&p4=refused', 'Name one of'],
  ['p1=vanishes', 'no behaviour called vanishes'],
  ['p1=constructor', 'no behaviour called constructor'],
  ['p1=refused&when=now', 'no option called when'],
  ['p1=dies', 'needs at, after or age'],
  ['p1=dies&at=-1', 'at must be whole numbers'],
  ['p1=expires', 'needs age'],
  ['p1=elsewhere&to=nowhere', 'needs an absolute URL'],
  ['p1=refused&form=dash', 'form must be file or hls'],
])('%s is rejected', async (query, message) => {
  const response = await fetchThrough(lab, `${lab.url}/_lab/media?${query}`, { method: 'POST' });
  expect([response.status, response.body.toString()]).toEqual([400, expect.stringContaining(message)]);
});
