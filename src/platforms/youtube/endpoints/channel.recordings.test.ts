import { describe, expect, it } from 'vitest';
import { dig, fields } from '../../../parsing/values.ts';
import { tabParams } from '../find/channel-page.ts';
import { readTabs } from '../parse/channel-tabs.ts';
import { readPage } from '../parse/item-list.ts';
import type { ListItem } from '../parse/items/list-item.ts';
import { extractRecorded, findRecording } from '../testing/extract-recorded.ts';
import { recordings, recordingsOf } from '../testing/recordings.ts';
import { queryOracle } from '../testing/youtubei-oracle.ts';

const types = ['videos', 'shorts', 'livestreams', 'playlists', 'releases', 'podcasts'] as const;
const pathOf = (type: string) =>
  `/channel/${['videos', 'shorts', 'livestreams'].includes(type) ? 'videos' : 'playlists'}`;

describe.skipIf(recordings().length === 0)('recorded channels', () => {
  const channels = recordingsOf('channel');
  const pages = channels.filter(({ body }) => dig(body, 'contents') !== undefined && dig(body, 'header') !== undefined);

  it('are requested at the recorded tab', () => {
    const recordedParams = new Set(channels.map(({ request }) => dig(request, 'body', 'params')));
    for (const type of ['videos', 'shorts', 'livestreams', 'playlists', 'releases'] as const) {
      expect(recordedParams, type).toContain(tabParams(type));
    }
    expect(tabParams('podcasts')).toBe('Eghwb2RjYXN0c_IGBQoDugEA');
  });

  it.each(pages.map((recording) => [recording.name, recording] as const))(
    'are read from %s',
    async (_name, recording) => {
      const id = String(fields(recording.request.body).browseId);
      const { metadata } = await extractRecorded('/channel/details', { channelId: id }, recording);
      const channel = fields(metadata.channel);
      expect(channel.channelId).toBe(id);
      expect(channel.title).toBe(metadata.title);
      expect(channel.title).toMatch(/./);
      expect(metadata.thumbnailUrl).toMatch(/^https:/);
      const headerFields = [channel.handle, channel.subscriberCount, channel.videoCount].filter(
        (one) => one !== undefined,
      );
      expect(headerFields.length).toBe(
        /carousel|systemtopic/.test(recording.name)
          ? 1
          : /interactive|kiosk/.test(recording.name.toLowerCase())
            ? 0
            : 3,
      );
    },
  );

  it.each<[string, Record<string, unknown>]>([
    [
      'pr0702__channel_kurzgesagt_1',
      {
        handle: '@kurzgesagt',
        title: 'Kurzgesagt – In a Nutshell',
        verified: true,
        subscriberCount: 25_300_000,
        subscriberCountText: '25.3m subscribers',
        videoCount: 373,
        links: [{ title: 'shop.kgs.link/cool', url: expect.stringMatching(/^https?:\/\//) }],
        keywords: expect.arrayContaining(['black hole']),
        familySafe: true,
        tabs: ['featured', 'videos', 'shorts', 'playlists', 'posts', 'store', 'search'],
      },
    ],
    ['pr0702__channel_channelwithpronouns_2', { handle: '@ShempOfficial', pronouns: 'he/him', subscriberCount: 8_010 }],
    ['pr0702__channel_randomchannel_1', { subscriberCount: 84, videoCount: 1, tabs: ['videos', 'search'] }],
    [
      'head__channel_systemtopic_2',
      { title: 'Music', subscriberCount: 125_000_000, tabs: ['featured', 'posts'], familySafe: true },
    ],
    ['pr0702__channel_carouselheader_1', { title: 'Sports', subscriberCount: 74_300_000 }],
    [
      'head__channel_interactivetabbedheader_2',
      {
        title: 'Minecraft',
        description: expect.stringMatching(/^Create anything/),
        labels: expect.arrayContaining(['Video game', 'Adventure game']),
        tabs: ['home', 'live', 'shorts', 'recent', 'letsplay', 'official', 'about'],
      },
    ],
    ['head__channeltab_livestreams_3', { handle: '@JeffGeerling', tabs: expect.arrayContaining(['livestreams']) }],
  ])('have the expected properties: %s', async (name, expected) => {
    const recording = findRecording('channel', name);
    const id = String(fields(recording.request.body).browseId);
    const { metadata, notes, requests } = await extractRecorded('/channel/details', { channelId: id }, recording);
    expect(metadata.channel).toMatchObject(expected);
    const requestsAbout = JSON.stringify(recording.body).includes('descriptionPreviewViewModel');
    expect(requests).toHaveLength(requestsAbout ? 2 : 1);
    // The request for the panel gets the same recording, which contains no panel.
    expect(notes).toHaveLength(requestsAbout ? 1 : 0);
  });

  it.each(pages.map((recording) => [recording.name, recording] as const))(
    'have the tabs of %s',
    async (_name, recording) => {
      const tabs = readTabs(recording.body);
      const openTab = tabs.find(({ selected }) => selected)?.name;
      const channelId = String(fields(recording.request.body).browseId);
      for (const type of types) {
        if (type !== openTab && tabs.some(({ name }) => name === type)) {
          // The site opens the requested tab if there is one, so this response does not belong to the request.
          const extraction = extractRecorded(pathOf(type), { channelId, contentType: type }, recording);
          await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data' });
          continue;
        }
        const parameters = { channelId, contentType: type };
        const { metadata, notes, unread } = await extractRecorded(pathOf(type), parameters, recording);
        expect(unread).toEqual({});
        const tabPage = dig(metadata.channel, type) as { contents: readonly ListItem[]; nextToken: string | null };
        if (type === openTab) {
          const oracle = queryOracle(recording.body);
          expect(tabPage.contents.map(({ id }) => id).toSorted()).toEqual(oracle.ids.toSorted());
          expect(tabPage.nextToken !== null).toBe(oracle.continues);
          expect(notes).toEqual([]);
        } else {
          expect(tabPage).toEqual({ contents: [], nextToken: null });
          expect(notes).toEqual([`This channel has no ${type} tab.`]);
        }
      }
    },
  );

  it.each([
    ['pr0702__channeltab_shorts_1', 'shorts', 48, 'short'],
    ['head__channeltab_livestreams_3', 'livestreams', 30, 'video'],
    ['pr0702__channeltab_playlists_2', 'playlists', 30, 'playlist'],
    ['pr0702__channeltab_albums_2', 'releases', 30, 'playlist'],
    ['pr0702__channel_kurzgesagt_1', 'videos', 30, 'video'],
  ])('list the items of %s', async (name, type, number, kind) => {
    const recording = findRecording('channel', name);
    const { metadata } = await extractRecorded(
      pathOf(type),
      { channelId: String(fields(recording.request.body).browseId), contentType: type },
      recording,
    );
    const tabPage = dig(metadata.channel, type) as { contents: readonly ListItem[]; nextToken: string };
    expect(tabPage.contents).toHaveLength(number);
    expect(tabPage.contents.every((item) => item.type === kind)).toBe(true);
    expect(tabPage.nextToken).toMatch(/^4qmFsg/);
  });

  const later = channels.filter(({ request }) => dig(request, 'body', 'continuation') !== undefined);

  it.each(later.map((recording) => [recording.name, recording] as const))('continue in %s', async (name, recording) => {
    const cursor = String(fields(recording.request.body).continuation);
    const parameters = { channelId: 'UC16niRr50-MSBwiO3YDb3RA', contentType: 'videos' };
    const { metadata, requests } = await extractRecorded('/channel/videos', parameters, recording, cursor);
    const tabPage = dig(metadata.channel, 'videos') as { contents: readonly ListItem[]; nextToken: string | null };
    const page = readPage(recording.body);
    expect(fields(requests[0]?.body).continuation).toBe(cursor);
    expect(tabPage.contents.map(({ id }) => id)).toEqual(page.items.map(({ id }) => id));
    if (/kurzgesagtadditional_getpageinnew_1|channeltab_shorts_3/.test(name) && recording.date < '2026-02') {
      // The site's own tokens have 7,288 and 9,276 characters, which is too long for a link.
      const place = { list: 'UULF16niRr50-MSBwiO3YDb3RA', after: page.items.at(-1)?.id };
      expect(JSON.parse(tabPage.nextToken ?? '')).toEqual(place);
    } else {
      expect(tabPage.nextToken).toBe(page.continuation ?? null);
    }
  });

  it.each([
    ['h20250716__2025-07-16_a8c176a0_channeltab_agerestrictedtabsvideos_3', 'videos'],
    ['h20250716__2025-07-16_a8c176a0_playlist_shortsui_2', 'shorts'],
  ])('continue in the uploads playlist for %s', async (name, type) => {
    const recording = findRecording('playlist', name);
    const page = readPage(recording.body);
    const list = String(fields(recording.request.body).browseId).replace(/^VL/, '');
    const cursor = JSON.stringify({ list, after: page.items[1]?.id });
    const parameters = { channelId: 'UC16niRr50-MSBwiO3YDb3RA', contentType: type };
    const { metadata, requests } = await extractRecorded('/channel/videos', parameters, recording, cursor);
    const tabPage = dig(metadata.channel, type) as { contents: readonly ListItem[]; nextToken: string | null };
    expect(fields(requests[0]?.body).browseId).toBe(`VL${list}`);
    expect(page.items.length).toBeGreaterThan(2);
    expect(tabPage.contents.map(({ id }) => id)).toEqual(page.items.slice(2).map(({ id }) => id));
    expect(tabPage.nextToken).toBe(page.continuation ?? null);
  });

  const unavailableChannels = channels.filter(({ name }) => /notavailable|agerestricted/i.test(name));

  it.each(unavailableChannels.map((recording) => [recording.name, recording] as const))(
    'fail for %s',
    async (name, recording) => {
      if (dig(recording.request, 'body', 'continuation') !== undefined) return;
      const code = /agerestricted/.test(name) ? 'age_restricted' : 'not_found';
      const parameters = { channelId: 'UC16niRr50-MSBwiO3YDb3RA', contentType: 'videos' };
      await expect(extractRecorded('/channel/details', parameters, recording)).rejects.toMatchObject({ code });
      await expect(extractRecorded('/channel/videos', parameters, recording)).rejects.toMatchObject({ code });
    },
  );

  it('are all covered by these tests', () => {
    const coveredNames = new Set([...pages, ...later, ...unavailableChannels].map(({ name }) => name));
    expect(channels.filter(({ name }) => !coveredNames.has(name)).map(({ name }) => name)).toEqual([]);
  });
});
