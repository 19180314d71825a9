import { describe, expect, it } from 'vitest';
import { createDashMedia } from './dash-media.ts';
import { parseManifest } from './manifest.ts';

const adaptationSet = (inner: string, attributes = 'contentType="video"') =>
  `<AdaptationSet ${attributes}>${inner}</AdaptationSet>`;
const mpd = (inner: string, attributes = 'mediaPresentationDuration="PT1M2.5S"') =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${attributes}><Period>${inner}</Period></MPD>\n`;
const file = (attributes: string, url = 'https://cdn.example/v.mp4?a=1&amp;oe=2') =>
  `<Representation ${attributes}><BaseURL>${url}</BaseURL><SegmentBase indexRange="1-2"/></Representation>`;

describe('parseManifest', () => {
  it('parses whole files with the attributes of their adaptation set', () => {
    const video = file(
      'id="1v" bandwidth="800000" codecs="avc1.64001f" width="720" height="1280" FBQualityLabel="640p"',
    );
    const audio = `<Representation id="2a" bandwidth="76623" codecs="mp4a.40.5" mimeType="audio/mp4" audioSamplingRate="44100"><AudioChannelConfiguration value="2"/><BaseURL>https://cdn.example/a.mp4</BaseURL></Representation>`;
    const text = mpd(
      adaptationSet(video, 'contentType="video" mimeType="video/mp4" frameRate="15360/512"') +
        adaptationSet(audio, 'lang="en"'),
    );
    expect(parseManifest(text)).toMatchObject({
      live: false,
      duration: 62.5,
      encryptedCount: 0,
      unusableCount: 0,
      representations: [
        {
          id: '1v',
          kind: 'video',
          url: 'https://cdn.example/v.mp4?a=1&oe=2',
          videoCodec: 'h264',
          bandwidth: 800_000,
          width: 720,
          height: 1280,
          frameRate: 30,
        },
        { id: '2a', kind: 'audio', audioCodec: 'aac', samplingRate: 44_100, channels: 2, language: 'en' },
      ],
    });
  });

  it('omits and counts representations that are encrypted, segmented or without a URL', () => {
    const text = mpd(
      adaptationSet(file('id="a"', 'file:///etc/passwd')) +
        adaptationSet(`<SegmentTemplate media="$Number$.m4s"/>${file('id="b"')}`) +
        adaptationSet('<Representation id="c"/>') +
        adaptationSet(`<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011"/>${file('id="d"')}`) +
        adaptationSet(file('id="e"'), 'contentType="text"'),
    );
    expect(parseManifest(text)).toMatchObject({ representations: [], encryptedCount: 1, unusableCount: 3 });
  });

  it('resolves URLs through every level', () => {
    const text = `<MPD><BaseURL>one/</BaseURL><Period><BaseURL>two/</BaseURL>${adaptationSet(file('id="a"', 'v.mp4'))}</Period></MPD>`;
    const { representations } = parseManifest(text, 'https://cdn.example/m/list.mpd');
    expect(representations[0]?.url).toBe('https://cdn.example/m/one/two/v.mp4');
  });

  it.each([
    ['a document type', '<!DOCTYPE MPD [<!ENTITY a "aaaa">]><MPD/>', 'declarations are not supported'],
    ['an external entity', '<MPD><Period>&xxe;</Period></MPD>', 'the entity is unknown'],
    ['another root element', '<html></html>', 'the root element is not MPD'],
    ['several periods', '<MPD><Period/><Period/></MPD>', '2 periods'],
    ['an element left open', '<MPD><Period>', 'ends inside an element'],
    ['overlapping elements', '<MPD><Period></MPD></Period>', 'without a matching opening tag'],
    ['an empty text', '', 'no root element'],
    ['an invalid character reference', '<MPD>&#xD800;</MPD>', 'the character reference is invalid'],
    ['deeply nested elements', '<a>'.repeat(50), 'more than 32 levels deep'],
    ['too many elements', `<MPD>${'<a/>'.repeat(6_000)}</MPD>`, 'more than 5000 elements'],
    ['a text that is too long', ' '.repeat(600_000), 'exceeds 524288 characters'],
  ])('rejects %s', (_, text, fault) => {
    expect(() => parseManifest(text)).toThrow(
      expect.objectContaining({ code: 'invalid_response_data', message: expect.stringContaining(fault) }),
    );
  });

  it('limits the number of representations, which all inherit the attributes of their set', () => {
    const attributes = Array.from({ length: 190 }, (_, index) => `a${index}="b"`).join(' ');
    const manifest = (count: number) =>
      `<MPD><Period><AdaptationSet contentType="video" ${attributes}>` +
      `${'<Representation><BaseURL>https://a.example/v.mp4</BaseURL></Representation>'.repeat(count)}` +
      '</AdaptationSet></Period></MPD>';
    expect(parseManifest(manifest(500)).representations).toHaveLength(500);
    expect(() => parseManifest(manifest(501))).toThrow(/more than 500 representations/);
  });

  it.each(['v.mp4', 'data:,a', 'http://['])('limits the total length of URLs that are resolved: %s', (address) => {
    const text = mpd(`<BaseURL>${'d/'.repeat(5_000)}</BaseURL>${adaptationSet(file('', address).repeat(500))}`);
    expect(() => parseManifest(text, 'https://cdn.example/')).toThrow(/URLs exceed/);
  });
});

describe('createDashMedia', () => {
  it('labels videos by their shorter side, estimates sizes, and never repeats an ID', () => {
    const variant = 'bandwidth="800000" codecs="avc1.64001f" width="720" height="1280" FBQualityLabel="640p"';
    const manifest = parseManifest(
      mpd(adaptationSet(file(`id="x" ${variant}`) + file(`id="x" ${variant}`) + file(`id="x-2" ${variant}`))),
    );
    const { videos, audios } = createDashMedia(manifest, () => 1_800_000_000_000);
    expect(audios).toEqual([]);
    expect(videos.map(({ item }) => item.repId)).toEqual(['x', 'x-2', 'x-2-2']);
    expect(videos[0]).toEqual({
      item: {
        label: '720p',
        url: 'https://cdn.example/v.mp4?a=1&oe=2',
        repId: 'x',
        metadata: {
          mime_type: 'video/mp4; codecs="avc1.64001f"',
          width: 720,
          height: 1280,
          has_audio: false,
          codecs: 'avc1.64001f',
          bitrate: 800_000,
          duration: 62.5,
          quality: '640p',
          expires_at: '2027-01-15T08:00:00.000Z',
        },
      },
      stream: {
        ext: 'mp4',
        kind: 'video',
        bitrate: 800_000,
        estimatedBytes: 6_250_000,
        videoCodec: 'h264',
        expiresAt: 1_800_000_000_000,
      },
    });
  });
});

it('omits a long value that every representation would repeat', () => {
  const long = 'a,'.repeat(100_000);
  const text = mpd(adaptationSet(file('id="1" mimeType="video/mp4"').repeat(100), `lang="${long}" codecs="${long}"`));
  const { representations } = parseManifest(text);
  expect(representations).toHaveLength(100);
  expect(representations.flatMap(({ codecs, language }) => [...codecs, language ?? []].flat())).toEqual([]);
});
