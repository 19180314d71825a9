import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import { postParams } from '../requests/post-params.ts';

const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const postId = 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx';

const post = (id: string, title = 'One') => ({
  backstagePostThreadRenderer: {
    post: {
      backstagePostRenderer: {
        postId: id,
        contentText: { runs: [{ text: 'Hi' }] },
        backstageAttachment: { videoRenderer: { videoId: 'dQw4w9WgXcQ', title: { simpleText: title } } },
      },
    },
  },
});
const tab = (url: string, ...contents: readonly unknown[]) => ({
  contents: {
    twoColumnBrowseResultsRenderer: {
      tabs: [
        { tabRenderer: { endpoint: { commandMetadata: { webCommandMetadata: { url: '/@bbc/featured' } } } } },
        {
          tabRenderer: {
            selected: true,
            endpoint: { commandMetadata: { webCommandMetadata: { url } } },
            content: { sectionListRenderer: { contents } },
          },
        },
      ],
    },
  },
});
const more = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});

async function extract(path: string, parameters: EndpointParameters, reply: (hl: unknown) => Reply, cursor?: string) {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const site = fakeSite(
    ({ body }) => reply(fields(fields(fields(body).context).client).hl),
    cursor === undefined ? {} : { cursor },
  );
  return { requests: site.requests, ...(await endpoint.extract(parameters, site.context)) };
}

describe('/post/details', () => {
  const details = (reply: (hl: unknown) => Reply, lang?: string) =>
    extract('/post/details', { postId, channelId, ...(lang === undefined ? {} : { lang }) }, reply);

  it("returns the post, with its attachments in the caller's language", async () => {
    const { metadata, requests } = await details(
      (hl) => ({ body: tab('/post/x', post(postId, hl === 'de' ? 'Eins' : 'One')) }),
      'de',
    );
    expect(requests[0]?.body).toMatchObject({ browseId: 'FEpost_detail', params: postParams(channelId, postId) });
    expect(metadata.post).toMatchObject({ type: 'post', id: postId, text: 'Hi', video: { title: 'Eins' } });
  });

  it('rejects a page without the post', async () => {
    const message = { messageRenderer: { text: { simpleText: 'This post is gone.' } } };
    const extraction = details(() => ({ body: tab('/post/x', message) }));
    await expect(extraction).rejects.toMatchObject({ code: 'not_found', reason: 'This post is gone.' });
    await expect(details(() => ({ body: tab('/post/x', post('Ugkx')) }))).rejects.toMatchObject({ code: 'not_found' });
    const invalid = { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } };
    await expect(details(() => ({ status: 400, body: invalid }))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('/channel/posts', () => {
  const posts = (body: unknown, cursor?: string) => extract('/channel/posts', { channelId }, () => ({ body }), cursor);

  it.each(['/@bbc/posts', '/@bbc/community'])('returns the posts of %s', async (url) => {
    const { metadata, requests, notes } = await posts(tab(url, post('Ugkx1'), post('Ugkx2'), more('page 2')));
    expect(requests[0]?.body).toMatchObject({ browseId: channelId, params: 'EgVwb3N0c_IGBAoCSgA=' });
    expect(metadata.channel).toMatchObject({
      posts: { contents: [{ id: 'Ugkx1', video: { id: 'dQw4w9WgXcQ' } }, { id: 'Ugkx2' }], nextToken: 'page 2' },
    });
    expect(notes).toEqual([]);
  });

  it('returns the next page', async () => {
    const items = { appendContinuationItemsAction: { continuationItems: [post('Ugkx3')] } };
    const { metadata, requests } = await posts({ onResponseReceivedEndpoints: [items] }, 'page 2');
    expect(requests[0]?.body).toMatchObject({ continuation: 'page 2' });
    expect(metadata.channel).toMatchObject({ posts: { contents: [{ id: 'Ugkx3' }], nextToken: null } });
  });

  it('returns an empty list when the channel has no such tab', async () => {
    const { metadata, notes } = await posts(
      tab('/@bbc/featured', { videoRenderer: { videoId: 'dQw4w9WgXcQ' } }, more('x')),
    );
    expect(metadata.channel).toEqual({ posts: { contents: [], nextToken: null } });
    expect(notes).toEqual(['This channel has no posts.']);
  });

  it("returns the site's message when there are no posts", async () => {
    const message = { messageRenderer: { text: { simpleText: "This channel hasn't posted yet." } } };
    const { metadata, notes } = await posts(tab('/@bbc/posts', message));
    expect([metadata.channel, notes]).toEqual([
      { posts: { contents: [], nextToken: null } },
      ["This channel hasn't posted yet."],
    ]);
  });

  it('rejects a response that is not a channel', async () => {
    await expect(posts({})).rejects.toMatchObject({ code: 'invalid_response_data' });
    const alert = { alertRenderer: { type: 'ERROR', text: { simpleText: 'This channel does not exist.' } } };
    await expect(posts({ alerts: [alert] })).rejects.toMatchObject({ code: 'not_found' });
    const invalid = { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } };
    const late = extract('/channel/posts', { channelId }, () => ({ status: 400, body: invalid }), 'old');
    await expect(late).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
