import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import {
  defaultReplies,
  details,
  extract,
  ID,
  onlyParts,
  openVideoSite,
  playable,
  type RequestKind,
  requestKindOf,
  unplayable,
  web,
} from '../testing/video-site.ts';

describe('video details', () => {
  it('are requested concurrently', async () => {
    const releases: (() => void)[] = [];
    const waiting = new Set<RequestKind>();
    const site = fakeSite(async (request) => {
      const kind = requestKindOf(request);
      if (kind !== 'visitor') {
        waiting.add(kind);
        await new Promise<void>((resolve) => {
          releases.push(resolve);
          // No request gets its response before all of them have arrived.
          if (waiting.size === 3) for (const release of releases) release();
        });
      }
      const reply = defaultReplies[kind];
      return typeof reply === 'object' ? reply : { status: 500, body: '' };
    });
    await extract(site.context, {});
    expect([...waiting].sort()).toEqual(['VISIONOS', 'watch', 'web']);
    expect(site.requests).toHaveLength(4);
  });

  it('include media, metadata and the languages of the transcript', async () => {
    const { extract: extractDetails } = openVideoSite({});
    const { contents, metadata, notes, linkNotes, incomplete } = await extractDetails();
    expect(contents?.[0]?.videos?.map(({ item }) => [item.label, item.repId])).toEqual([['1080p', '137']]);
    expect(contents?.[0]?.audios?.map(({ item }) => item.label)).toEqual(['AAC 129 kbps']);
    expect(metadata).toMatchObject({
      title: 'Never',
      author: { id: details.channelId, name: 'Rick', handle: '@RickAstleyYT' },
      transcript: { languages: ['en', 'pt-BR'] },
      additionalData: {
        id: ID,
        duration: 212,
        description: 'Words',
        keywords: ['rick'],
        category: 'Music',
        publishedAt: '2009-10-24T23:57:33-07:00',
        statistics: { viewCount: 1_700_000_000, likeCount: 18_000_000 },
        captions: [
          { language: 'en', kind: 'auto', translatable: false, expiresAt: '2026-06-08T04:42:10.000Z' },
          { language: 'en', kind: 'manual', name: 'English' },
          { language: 'pt-BR', kind: 'manual' },
        ],
      },
    });
    expect(metadata.transcript).not.toHaveProperty('transcript');
    expect(notes).toEqual([]);
    expect(linkNotes).toEqual([expect.stringContaining('User-Agent "com.google.visionos')]);
    expect(incomplete).toBe(false);
  });

  it("are in the caller's language, with counts parsed from English", async () => {
    const german = {
      ...web,
      videoDetails: { ...details, title: 'Niemals' },
      microformat: { playerMicroformatRenderer: { category: 'Musik' } },
    };
    const { extract: extractDetails, requests } = openVideoSite(
      { web: ({ body }) => ({ body: JSON.stringify(body).includes('"hl":"de"') ? german : web }) },
      { lang: 'de' },
    );
    expect((await extractDetails()).metadata).toMatchObject({
      title: 'Niemals',
      additionalData: { category: 'Musik', statistics: { likeCount: 18_000_000 } },
    });
    expect(requests.filter((request) => requestKindOf(request) === 'VISIONOS')).toHaveLength(1);
  });

  it('skip requests for parts that are not needed', async () => {
    const plain = openVideoSite(
      {},
      {},
      onlyParts('metadata', 'metadata.author', 'metadata.additionalData', 'metadata.transcript'),
    );
    const response = await plain.extract();
    expect(plain.requestKinds().sort()).toEqual(['watch', 'web']);
    expect(response).not.toHaveProperty('contents');
    expect(response.metadata).toMatchObject({ title: 'Never', transcript: { languages: ['en', 'pt-BR'] } });

    const media = openVideoSite({}, { getTranscript: 'true' }, onlyParts('contents', 'contents.videos'));
    expect((await media.extract()).metadata).not.toHaveProperty('transcript');
    expect(media.requestKinds().sort()).toEqual(['VISIONOS', 'visitor', 'web']);

    const transcript = openVideoSite({}, { getTranscript: 'true' }, onlyParts('metadata', 'metadata.transcript'));
    expect(await transcript.extract()).not.toHaveProperty('contents');
    expect(transcript.requestKinds().sort()).toEqual(['VISIONOS', 'captions', 'visitor', 'web']);
  });

  it('request media after all when the WEB player refuses the video', async () => {
    const site = openVideoSite({ web: unplayable }, {}, onlyParts('metadata', 'metadata.additionalData'));
    expect((await site.extract()).metadata.title).toBe('Never');
    expect(site.requestKinds()).toContain('VISIONOS');
  });

  it('belong to the requested video', async () => {
    const other = { ...playable, videoDetails: { ...details, videoId: 'aaaaaaaaaaa', title: 'Other' } };
    const { metadata, notes, linkNotes, incomplete } = await openVideoSite({
      VISIONOS: { body: other },
      web: { body: { ...web, ...other } },
    }).extract();
    expect(metadata.title).toBe('Never');
    expect(notes).toEqual([
      expect.stringMatching(
        /from the client profile ANDROID, because VISIONOS returned none\. YouTube returned another video/,
      ),
      expect.stringMatching(/^Some details are missing: YouTube returned another video/),
    ]);
    expect(linkNotes).toEqual([expect.stringContaining('User-Agent "com.google.android')]);
    expect(incomplete).toBe(true);
    await expect(
      openVideoSite({ VISIONOS: { body: other }, ANDROID: { body: { playerResponse: other } } }).extract(),
    ).rejects.toMatchObject({ code: 'invalid_response_data', retryable: true });
  });

  it('are partial when the page or the WEB player fails', async () => {
    const { metadata, contents, notes, incomplete } = await openVideoSite({
      web: { status: 503, body: '' },
      watch: { body: '<html>' },
    }).extract();
    expect(contents?.[0]?.videos).toHaveLength(1);
    expect(metadata).toMatchObject({ title: 'Never', additionalData: { statistics: { viewCount: 1_700_000_000 } } });
    expect(notes?.filter((note) => note.startsWith('Some details are missing'))).toHaveLength(2);
    expect(incomplete).toBe(true);
  });

  it("end with the request's timeout", async () => {
    const late = new MillraceError('operation_timeout', 'Over.');
    await expect(openVideoSite({ watch: late }, {}, { signal: AbortSignal.abort(late) }).extract()).rejects.toBe(late);
  });
});
