import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import type { Reply, SeenRequest } from '../../testing/fake-site.ts';
import { channelId, extract, lockup, nextPage, tab, tabs } from '../testing/channel-site.ts';

describe('/channel/videos and /channel/playlists', () => {
  it('return a page and the next one', async () => {
    const first = await extract('/channel/videos', { channelId, contentType: 'livestreams' }, () => ({
      body: tabs(tab('videos'), tab('streams', [lockup('dQw4w9WgXcQ'), nextPage('T')])),
    }));
    expect(first.channel).toEqual({
      livestreams: { contents: [expect.objectContaining({ id: 'dQw4w9WgXcQ', title: 'A' })], nextToken: 'T' },
    });
    const items = { continuationItems: [lockup('aaaaaaaaaaa')] };
    const next = await extract(
      '/channel/videos',
      { channelId, contentType: 'livestreams' },
      () => ({ body: { onResponseReceivedActions: [{ appendContinuationItemsAction: items }] } }),
      { cursor: 'T' },
    );
    expect(next.requests.map(({ body }) => fields(body))).toMatchObject([{ continuation: 'T' }]);
    expect(next.channel).toMatchObject({ livestreams: { contents: [{ id: 'aaaaaaaaaaa' }], nextToken: null } });
  });

  it('continue in the uploads playlist when the token becomes too long for a link', async () => {
    const parameters = { channelId, contentType: 'shorts' };
    const long = 'T'.repeat(5_001);
    const tabPage = await extract('/channel/videos', parameters, () => ({
      body: tabs(tab('shorts', [lockup('aaaaaaaaaaa'), lockup('bbbbbbbbbbb'), nextPage(long)])),
    }));
    const cursor = String(fields(tabPage.channel.shorts).nextToken);
    expect(JSON.parse(cursor)).toEqual({ list: 'UUSH16niRr50-MSBwiO3YDb3RA', after: 'bbbbbbbbbbb' });

    const first = { contents: [lockup('aaaaaaaaaaa'), nextPage('P2')] };
    const second = [lockup('bbbbbbbbbbb'), lockup('ccccccccccc'), nextPage('P3')];
    const reply = ({ body }: SeenRequest): Reply => {
      const { browseId, continuation } = fields(body);
      if (browseId === 'VLUUSH16niRr50-MSBwiO3YDb3RA') return { body: first };
      expect(continuation).toBe('P2');
      return { body: appendItems(second) };
    };
    const { channel } = await extract('/channel/videos', parameters, reply, { cursor });
    expect(channel).toMatchObject({ shorts: { contents: [{ id: 'ccccccccccc' }], nextToken: 'P3' } });

    // The position is at the end of a page, so the response is the whole next page.
    const ends = ({ body }: SeenRequest): Reply =>
      fields(body).continuation === 'P2'
        ? { body: appendItems([lockup('ccccccccccc')]) }
        : { body: { contents: [lockup('bbbbbbbbbbb'), nextPage('P2')] } };
    const whole = await extract('/channel/videos', parameters, ends, { cursor });
    expect(whole.channel).toMatchObject({ shorts: { contents: [{ id: 'ccccccccccc' }], nextToken: null } });

    const exhausted = await extract('/channel/videos', parameters, () => ({ body: first }), { cursor });
    expect(exhausted.channel).toEqual({ shorts: { contents: [], nextToken: null } });
    expect(exhausted.notes).toEqual(['YouTube lists no further uploads.']);
    expect(exhausted.requests).toHaveLength(5);
  });

  it('return an empty list with a note when the channel has no such tab', async () => {
    const { channel, notes } = await extract('/channel/playlists', { channelId, contentType: 'podcasts' }, () => ({
      body: tabs(tab('videos', [lockup('dQw4w9WgXcQ'), nextPage('T')])),
    }));
    expect(channel).toEqual({ podcasts: { contents: [], nextToken: null } });
    expect(notes).toEqual(['This channel has no podcasts tab.']);
  });

  it.each<[string, object, object]>([
    ['tabs', tabs({ tabV2: { title: 'Videos' } }), { tabV2: 1 }],
    ['tab bar', { contents: { browseResultsV2: {} } }, { browseResultsV2: 1 }],
    ['open tab', tabs(tab('featured'), tab('podcasts')), { tabRenderer: 2 }],
    ['name of the open tab', tabs(tab('featured'), tab('podcastsV2', [])), { tabRenderer: 2 }],
    ['entries', tabs(tab('podcasts', [{ richItemRenderer: { content: { lockupV2: {} } } }])), { lockupV2: 1 }],
    ['list', tabs(tab('podcasts', [])), { contents: 1 }],
  ])('reject a page without any known %s', async (_name, body, unread) => {
    const extraction = extract('/channel/playlists', { channelId, contentType: 'podcasts' }, () => ({ body }));
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', unread });
  });

  it('count the entries that cannot be read', async () => {
    const items = [lockup('dQw4w9WgXcQ'), { richItemRenderer: { content: { lockupV2: {} } } }, nextPage('T')];
    const { channel, unread } = await extract('/channel/videos', { channelId, contentType: 'videos' }, () => ({
      body: tabs(tab('videos', items)),
    }));
    expect(channel).toMatchObject({ videos: { contents: [{ id: 'dQw4w9WgXcQ' }], nextToken: 'T' } });
    expect(unread).toEqual({ lockupV2: 1 });
  });

  it("return the site's message for an empty tab", async () => {
    const empty = { messageRenderer: { text: { simpleText: 'This channel has no videos.' } } };
    const { channel, notes } = await extract('/channel/videos', { channelId, contentType: 'videos' }, () => ({
      body: tabs(tab('videos', [empty])),
    }));
    expect(channel).toEqual({ videos: { contents: [], nextToken: null } });
    expect(notes).toEqual(['This channel has no videos.']);
  });

  it.each<[string, Reply, string]>([
    ['a removal', alert('This account has been terminated.'), 'not_found'],
    ['no such channel', alert('This channel does not exist.'), 'not_found'],
    ['an age gate', { body: ageGate() }, 'age_restricted'],
    ['an empty response', { body: {} }, 'invalid_response_data'],
  ])('fail when the site responds with %s', async (_name, reply, code) => {
    for (const path of ['/channel/videos', '/channel/playlists', '/channel/details']) {
      const parameters = { channelId, contentType: path.endsWith('videos') ? 'videos' : 'playlists' };
      await expect(
        extract(path, parameters, () => reply),
        path,
      ).rejects.toMatchObject({ code });
    }
  });
});

function appendItems(continuationItems: readonly unknown[]) {
  return { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] };
}

function alert(text: string): Reply {
  return { body: { alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: text } } }] } };
}

function ageGate() {
  const gate = { tabRenderer: { content: { sectionListRenderer: { contents: [{ channelAgeGateRenderer: {} }] } } } };
  return tabs(gate);
}
