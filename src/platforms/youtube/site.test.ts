import { describe, expect, it } from 'vitest';
import { fields } from '../../parsing/values.ts';
import { fakeSite, type Reply, type SeenRequest } from '../testing/fake-site.ts';
import { createYoutube } from './index.ts';
import { defaultSite, siteSetting } from './site.ts';
import { builtInProfile } from './testing/built-in-profile.ts';
import { defaultReplies, ID, playable } from './testing/video-site.ts';

const newClient = {
  id: 28,
  version: '1.65.10',
  userAgent: 'com.google.android.apps.youtube.vr.oculus/1.65.10',
  device: { osName: 'Android', androidSdkVersion: 32 },
  origin: 'https://youtubei.googleapis.com',
  visitor: true,
  endpoint: 'player',
};
const changed = (clients: object) => siteSetting.read(JSON.stringify(clients));

/** Requests the media of a video with the operator's clients. Returns what the site received from clients of media. */
async function requestMedia(clients: object, reply: (request: SeenRequest) => Reply) {
  const site = fakeSite((request) => {
    if (request.url.pathname.endsWith('/visitor_id')) return { body: { responseContext: { visitorData: 'V' } } };
    if (clientOf(request).clientName === 'WEB') return { body: { ...playable, streamingData: undefined } };
    return reply(request);
  });
  const endpoint = createYoutube(changed(clients)).endpoints.find(({ path }) => path === '/video/details');
  const extraction = await endpoint?.extract({ videoId: ID }, site.context);
  const requests = site.requests.filter(
    (request) => clientOf(request).clientName !== 'WEB' && !request.url.pathname.endsWith('/visitor_id'),
  );
  return { extraction, requests, all: site.requests };
}

function clientOf({ body }: SeenRequest) {
  return fields(fields(fields(body).context).client);
}

describe('P1_CLIENTS', () => {
  it('changes members of a built-in client and leaves the others unchanged', () => {
    const site = changed({
      VISIONOS: { version: '1.07' },
      WEB: { version: '2.1' },
      mediaOrder: ['ANDROID', 'VISIONOS'],
    });
    expect(site.mediaOrder).toEqual([builtInProfile('ANDROID'), { ...builtInProfile('VISIONOS'), version: '1.07' }]);
    expect(site.web).toEqual({ ...builtInProfile('WEB'), version: '2.1' });
    expect(changed({})).toEqual(defaultSite);
  });

  it('changes the profiles that are based on a changed one, except for their own members', () => {
    const site = changed({ VISIONOS: { version: '1.07', origin: 'https://m.youtube.com' } });
    expect(site.mediaOrder.map(({ name, clientName, version, origin }) => [name, clientName, version, origin])).toEqual(
      [
        ['VISIONOS', 'VISIONOS', '1.07', 'https://m.youtube.com'],
        ['VISIONOS_1_02', 'VISIONOS', '1.02', 'https://m.youtube.com'],
        ['VISIONOS_SAFARI', 'VISIONOS', '1.02', 'https://m.youtube.com'],
        ['VISIONOS_HLS', 'VISIONOS', '1.07', 'https://m.youtube.com'],
        ['ANDROID', 'ANDROID', '21.03.36', 'https://youtubei.googleapis.com'],
      ],
    );
  });

  it('adds a profile that is based on another one, and identifies as its client', async () => {
    const clients = { VISIONOS_1_06: { basedOn: 'VISIONOS', version: '1.06' }, mediaOrder: ['VISIONOS_1_06'] };
    const { extraction, requests } = await requestMedia(clients, () => ({ body: playable }));
    expect(clientOf(requests[0] as SeenRequest)).toMatchObject({ clientName: 'VISIONOS', clientVersion: '1.06' });
    expect(extraction?.profile).toBe('VISIONOS_1_06');
  });

  it('may omit the profile for the playlist, which the profile for files then uses', async () => {
    const hlsManifestUrl = 'https://manifest.googlevideo.com/api/manifest/hls_variant/index.m3u8';
    const master =
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1280x720\nhttps://manifest.googlevideo.com/1.m3u8\n';
    const streamingData = { hlsManifestUrl, adaptiveFormats: [{ itag: 137, mimeType: 'video/mp4' }] };
    const { extraction } = await requestMedia({ mediaOrder: ['VISIONOS', 'ANDROID'] }, ({ url }) =>
      url.hostname === 'manifest.googlevideo.com' ? { body: master } : { body: { ...playable, streamingData } },
    );
    expect(extraction?.profile).toBe('VISIONOS');
    expect(extraction?.contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['720p']);
  });

  it('adds a profile that identifies as a named client', async () => {
    const clients = { VR: { ...newClient, clientName: 'ANDROID_VR' }, mediaOrder: ['VR'] };
    const { requests } = await requestMedia(clients, () => ({ body: playable }));
    expect(clientOf(requests[0] as SeenRequest)).toMatchObject({ clientName: 'ANDROID_VR' });
  });

  it('adds a client, which identifies itself by its own values', async () => {
    const { extraction, requests } = await requestMedia({ ANDROID_VR: newClient, mediaOrder: ['ANDROID_VR'] }, () => ({
      body: playable,
    }));
    expect(requests.map(({ url }) => url.pathname)).toEqual(['/youtubei/v1/player']);
    expect(requests[0]?.url.origin).toBe(newClient.origin);
    expect(requests[0]?.headers).toMatchObject({ 'user-agent': newClient.userAgent, 'x-goog-visitor-id': 'V' });
    expect(clientOf(requests[0] as SeenRequest)).toMatchObject({
      ...newClient.device,
      clientName: 'ANDROID_VR',
      clientVersion: newClient.version,
      visitorData: 'V',
    });
    expect(extraction?.linkNotes).toEqual([expect.stringContaining(newClient.userAgent)]);
  });

  it('adds a client that uses the shorts feed, the site and no visitor', async () => {
    const client = { ...newClient, endpoint: 'reel', origin: 'https://m.youtube.com', visitor: false };
    const { requests, all } = await requestMedia({ TV_1: client, mediaOrder: ['TV_1'] }, () => ({
      body: { playerResponse: playable },
    }));
    expect(requests.map(({ url }) => url.pathname)).toEqual(['/youtubei/v1/reel/reel_item_watch']);
    expect(requests[0]?.headers).toMatchObject({ 'x-youtube-client-name': '28', origin: 'https://m.youtube.com' });
    expect(all.some(({ url }) => url.pathname.endsWith('/visitor_id'))).toBe(false);
  });

  it('sends the parameters of a client in its player requests', async () => {
    const clients = {
      VISIONOS: { playerParams: '2AMB' },
      ANDROID: { playerParams: 'CgIQBg==' },
      WEB: { playerParams: '8AEB' },
      mediaOrder: ['VISIONOS', 'ANDROID'],
    };
    const { requests, all } = await requestMedia(clients, (request) =>
      clientOf(request).clientName === 'VISIONOS' ? { status: 500, body: '' } : (defaultReplies.ANDROID as Reply),
    );
    expect(requests.map(({ body }) => fields(body).params ?? fields(fields(body).playerRequest).params)).toEqual([
      '2AMB',
      'CgIQBg==',
    ]);
    const web = all.find(
      (request) => request.url.pathname.endsWith('/player') && clientOf(request).clientName === 'WEB',
    );
    expect(web?.body).toMatchObject({ params: '8AEB' });
  });

  it.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a JSON object'],
    ['{"visionos":{}}', 'contains the unknown member visionos'],
    [`{"${'A'.repeat(41)}":{}}`, 'contains the unknown member'],
    [
      '{"TV":{}}',
      'must have id, version, origin, userAgent, device, visitor and endpoint, or basedOn, in the new client TV',
    ],
    ['{"WEB":1}', 'must have an object as WEB'],
    ['{"WEB":{"id":"1"}}', 'has an invalid WEB.id'],
    ['{"WEB":{"version":2}}', 'has an invalid WEB.version'],
    ['{"WEB":{"version":"1\\n"}}', 'has an invalid WEB.version'],
    ['{"WEB":{"name":"TV"}}', 'contains the unknown member WEB.name'],
    ['{"WEB":{"colour":"red"}}', 'contains the unknown member WEB.colour'],
    ['{"WEB":{"origin":"https://www.youtube.com/x"}}', 'must have an HTTPS origin such as'],
    ['{"WEB":{"origin":"http://www.youtube.com"}}', 'must have an HTTPS origin such as'],
    ['{"WEB":{"userAgent":"a\\nb"}}', 'has an invalid WEB.userAgent'],
    ['{"WEB":{"device":{"a":true}}}', 'has an invalid WEB.device.a'],
    ['{"WEB":{"device":{"__proto__":"a"}}}', 'contains the unknown member WEB.device.__proto__'],
    ['{"WEB":{"visitor":1}}', 'has an invalid WEB.visitor'],
    ['{"WEB":{"endpoint":"next"}}', 'has an invalid WEB.endpoint: use player, reel'],
    ['{"WEB":{"playerParams":"a b"}}', 'has an invalid WEB.playerParams'],
    ['{"WEB":{"media":"dash"}}', 'has an invalid WEB.media: use files, hls'],
    ['{"WEB":{"clientName":"web"}}', 'has an invalid WEB.clientName'],
    ['{"TV":{"basedOn":"IOS"}}', 'has an invalid TV.basedOn: it must name a profile that is not based on another one'],
    ['{"TV":{"basedOn":"VISIONOS_HLS"}}', 'has an invalid TV.basedOn'],
    ['{"VISIONOS":{"basedOn":"VISIONOS"}}', 'has an invalid VISIONOS.basedOn'],
    ['{"TV":{"basedOn":"__proto__"}}', 'has an invalid TV.basedOn'],
    ['{"mediaOrder":[]}', 'must have a list of 1 to 8 entries as mediaOrder'],
    [`{"mediaOrder":${JSON.stringify(Array(9).fill('WEB'))}}`, 'must have a list of 1 to 8 entries as mediaOrder'],
    ['{"mediaOrder":["WEB","WEB"]}', 'has a duplicate in mediaOrder'],
    [
      '{"mediaOrder":["TV"]}',
      'has an unknown client in mediaOrder; use WEB, VISIONOS, VISIONOS_1_02, VISIONOS_SAFARI, VISIONOS_HLS, ANDROID',
    ],
  ])('rejects %s', (text, message) => {
    expect(() => siteSetting.read(text)).toThrow(message);
  });
});
