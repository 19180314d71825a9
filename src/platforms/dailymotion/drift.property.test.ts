import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { Extraction } from '../platform.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { namesIn, renamed, someNames } from '../testing/renamed-members.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { defaultSite } from './site.ts';

/** The responses about one video. */
interface Responses {
  readonly metadata: string;
  readonly master: string;
}

const recordings = readRecordings('p5');
const recorded = (file: string) => recordings.get(`PaganMuffin+video-scrapper/${file}`) ?? '';

const made: Responses = {
  metadata: JSON.stringify({
    id: 'x96ndxe',
    title: 'A title',
    private: false,
    thumbnails: { 60: 'https://s1.dmcdn.net/v/A/x60' },
    subtitles: { enable: true, data: { en: { label: 'E', urls: ['https://static.dmcdn.net/en.srt'] } } },
    qualities: {
      auto: [
        { type: 'application/vnd.lumberjack.manifest', url: 'https://cdndirector.dailymotion.com/l.m3u8' },
        { type: 'application/x-mpegURL', url: 'https://cdndirector.dailymotion.com/m.m3u8' },
      ],
      480: [{ type: 'video/mp4', url: 'https://proxy.example/480.mp4' }],
    },
  }),
  master: `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800,CODECS="mp4a.40.2,avc1.64001f",RESOLUTION=1280x720,NAME="720",PROGRESSIVE-URI="https://vod.example/sec2(a)/720.mp4#cell=cf"
https://vod.example/sec2(b)/720.m3u8#cell=cf
`,
};

const sources: [string, Responses][] = [['a made-up video', made]];
if (recordings.size > 0) {
  const metadata = recorded('metadata_x96ndxe.json');
  sources.push(['the recorded video', { metadata, master: recorded('master_x96ndxe.m3u8') }]);
}

function extract({ metadata, master }: Responses): Promise<Extraction> {
  const { context } = fakeSite(({ url }) => {
    if (url.hostname === 'api.dailymotion.com') return { status: 404, body: '<html>Gone</html>' };
    return { body: url.pathname.endsWith('.m3u8') ? master : metadata };
  });
  return videoDetails(defaultSite).extract({ videoId: 'x96ndxe' }, context);
}

const urlsOf = ({ contents = [] }: Extraction) =>
  contents.flatMap(({ videos = [], audios = [] }) => [...videos, ...audios].map(({ item }) => item.url));

/** Fails if streams are missing from the result without a note or an unread entry. */
async function expectNoSilentLoss(changed: Responses, original: readonly string[], what: string): Promise<void> {
  const result = await resultUnlessUnread(extract(changed), what);
  if (result === undefined) return;
  const urls = new Set(urlsOf(result));
  const isComplete = original.every((url) => urls.has(url));
  const isReported = Object.keys(result.unread ?? {}).length > 0 || /Some qualities/.test(String(result.notes));
  expect([what, urls.size > 0, isComplete || isReported]).toEqual([what, true, true]);
}

describe.each(sources)('a change of the site in %s', (_, responses) => {
  it('is not reported while nothing has changed', async () => {
    const { unread } = await extract(responses);
    expect(unread).toEqual({});
  });

  it.each(['metadata', 'master'] as const)(
    'never loses streams silently when a name of the %s changes',
    async (part) => {
      const original = urlsOf(await extract(responses));
      for (const name of namesIn(responses[part])) {
        const changed = { ...responses, [part]: renamed(responses[part], new Set([name])) };
        await expectNoSilentLoss(changed, original, name);
      }
    },
  );

  it('never loses streams silently when many names change', async () => {
    const original = urlsOf(await extract(responses));
    for (let seed = 0; seed < propertyRuns(100); seed += 1) {
      const change = (text: string) => renamed(text, someNames(text, 0.05 + (seed % 10) / 20, seed));
      const changed = { metadata: change(responses.metadata), master: change(responses.master) };
      await expectNoSilentLoss(changed, original, `seed ${seed}`);
    }
  });
});
