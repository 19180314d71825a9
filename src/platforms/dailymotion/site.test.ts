import { describe, expect, it } from 'vitest';
import { fakeSite } from '../testing/fake-site.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { defaultSite, siteSetting } from './site.ts';

const metadata = {
  id: 'x1abc',
  title: 'A title',
  qualities: { auto: [{ type: 'application/x-mpegURL', url: 'https://cdndirector.dailymotion.com/x1abc.m3u8' }] },
};
const otherDevice = { error: { code: 'DM014', title: 'Refused', status_code: 403 } };
const master =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800,RESOLUTION=1280x720,NAME="720"\nhttps://vod.example/720.m3u8\n';

/** Returns the headers of all requests for a video that only mobile browsers may play. */
async function headersWith(P5_SITE: string) {
  const { userAgents } = siteSetting.read(P5_SITE);
  const site = fakeSite(({ url, headers }) => {
    if (url.pathname.endsWith('.m3u8')) return { body: master };
    if (url.hostname === 'api.dailymotion.com') return { body: {} };
    return { body: headers['user-agent'] === userAgents.mobile ? metadata : otherDevice };
  });
  await videoDetails(siteSetting.read(P5_SITE)).extract({ videoId: 'x1abc' }, site.context);
  return site.requests.map(({ headers }) => headers);
}

describe('P5_SITE', () => {
  it('sends the built-in headers by default', async () => {
    const headers = await headersWith('{}');
    expect(siteSetting.read('{}')).toEqual(defaultSite);
    expect(new Set(headers.map((one) => one['user-agent']))).toEqual(new Set(Object.values(defaultSite.userAgents)));
    expect(headers.filter(({ priority }) => priority === 'u=1, i')).toHaveLength(1);
  });

  it('changes the user agent of each device', async () => {
    const headers = await headersWith('{"userAgents":{"desktop":"Desk/1","mobile":"Phone/1"}}');
    expect(new Set(headers.map((one) => one['user-agent']))).toEqual(new Set(['Desk/1', 'Phone/1']));
  });

  it('adds headers to every request, replaces built-in ones, and removes those with an empty text', async () => {
    const headers = await headersWith('{"headers":{"X-New":"1","Referer":"https://example.com/","Priority":""}}');
    expect(headers.length).toBeGreaterThan(3);
    for (const one of headers) {
      expect(one).toMatchObject({ 'x-new': '1', referer: 'https://example.com/' });
      expect(one).not.toHaveProperty('priority');
    }
  });

  it.each([
    ['[]', 'must be a JSON object'],
    ['{"desktop":"a"}', 'contains the unknown member desktop; use only userAgents, headers'],
    ['{"userAgents":{"tv":"a"}}', 'contains the unknown member userAgents.tv; use only desktop, mobile'],
    ['{"userAgents":{"mobile":"a\\nb"}}', 'has an invalid userAgents.mobile'],
    ['{"headers":{"Authorization":"a"}}', 'must not have authorization in headers'],
    ['{"headers":{"X-Forwarded-For":"1.1.1.1"}}', 'must not have x-forwarded-for in headers'],
    ['{"headers":{"x-a":"1\\r\\nb: c"}}', 'has an invalid headers.x-a'],
    [
      `{"headers":{${Array.from({ length: 41 }, (_, index) => `"x-${index}":"1"`).join()}}}`,
      'has more than 40 members',
    ],
  ])('rejects %s', (json, message) => {
    expect(() => siteSetting.read(json)).toThrow(message);
  });
});
