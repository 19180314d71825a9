import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Result } from '../support/envelope.ts';
import { exampleRequest } from '../support/example-request.ts';
import { fetchJson } from '../support/http-client.ts';
import { connectOverHttp } from '../support/mcp-client.ts';
import { postLink } from '../support/p4-client.ts';
import { temporaryFolder } from '../support/processes.ts';

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: Parameters<typeof exampleRequest>[1] }>>;
}

const { body: document } = await fetchJson<Document>(`${inject('serviceUrl')}/openapi`);

/** The example request of each data endpoint, by its path, and requests whose results have other entries. */
const examples = [
  ...Object.entries(document.paths).flatMap(([path, { get }]) => {
    const request = get === undefined ? undefined : exampleRequest(path, get);
    return request === undefined ? [] : [[path, request] as const];
  }),
  ['/p4/v3/post/details, comments', `/p4/v3/post/details?url=${postLink(22)}`],
] as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await startServiceWithAdmin(inject('labUrl'), folder.path, { MEGA: { requestsPerSecond: 1_000 } });
  ({ key } = await world.create('MEGA'));
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
});

const headers = () => ({ 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' });

const request = (path: string) => fetchJson<Result>(`${world.service.url}${path}`, { headers: headers() });

/** Blocks something while a function runs. */
async function whileBlocked(platform: string, kind: string, value: string, use: () => Promise<void>): Promise<void> {
  const block = await world.admin<{ id: string }>('POST', '/admin/blocks', {
    platform,
    kind,
    value,
    reason: 'Order 7',
  });
  expect(block.status).toBe(201);
  try {
    await use();
  } finally {
    await world.admin('DELETE', `/admin/blocks/${block.body.id}`);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** An entry of a list, as the metadata of all platforms have it. */
interface Entry extends Members {
  readonly id: string;
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value;

/** Members with previews, and with links of other things than media. */
const previews = new Set(['thumbnails', 'author', 'channel', 'runs', 'links', 'taggedUsers', 'coauthors']);

/** Returns the links to media files in an entry: those that lead neither to a page nor to a preview. */
function mediaLinks(entry: Members, within: unknown = entry): readonly string[] {
  if (typeof within === 'string') return /^https?:\/\/(?!www\.)/.test(within) ? [within] : [];
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) =>
    // The largest picture of a photo is the photo.
    previews.has(name) && !(name === 'thumbnails' && within === entry && entry.type === 'photo')
      ? []
      : mediaLinks(entry, value),
  );
}

/** Returns the entries with links to media files in the lists of metadata, the outermost ones. */
function entriesWithMedia(value: unknown): readonly Entry[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap(entriesWithMedia);
  const [entries, others] = [value.filter(isEntry), value.filter((each) => !isEntry(each))];
  return [...entries.filter((entry) => mediaLinks(entry).length > 0), ...others.flatMap(entriesWithMedia)];
}

/** Returns what an operator can block to block an entry. */
function targetsOf(entry: Entry): readonly (readonly [kind: string, value: string])[] {
  const { id, handle, username } = (entry.author ?? entry.channel ?? {}) as Readonly<
    Record<string, string | undefined>
  >;
  const account = [id, handle ?? (username === undefined ? undefined : `@${username}`)];
  return [
    ...(entry.type === 'comment' ? [] : [['item', entry.id] as const]),
    ...account.filter((name) => name !== undefined).map((name) => ['channel', name] as const),
  ];
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

/** The endpoints whose examples have such links, with the types of their entries. */
const endpoints = new Map<string, readonly unknown[]>();

describe('the links to media files in the lists of', () => {
  test.each(examples)('%s are left out with the entries that are blocked', async (path, example) => {
    const platform = path.split('/')[1] ?? '';
    const open = await request(example);
    expect(open.status, JSON.stringify(open.body.error)).toBe(200);
    const entries = entriesWithMedia(open.body.metadata);
    const [entry] = entries;
    if (entry === undefined) return;
    endpoints.set(path, [...new Set(entries.map(({ type }) => type))]);
    for (const [kind, value] of targetsOf(entry)) {
      await whileBlocked(platform, kind, value, async () => {
        const { status, body } = await request(example);
        // An account may own the whole list.
        if (kind === 'channel' && status === 451) return;
        expect(status).toBe(200);
        expect(idsOf(entriesWithMedia(body.metadata))).not.toContain(entry.id);
        expect(body.notes).toContainEqual(expect.stringMatching(/^Omitted \d+ items? that the operator/));
      });
    }
    const { body } = await request(example);
    expect(idsOf(entriesWithMedia(body.metadata))).toEqual(idsOf(entries));
  });

  test('some endpoints only', () => {
    expect(Object.fromEntries(endpoints)).toEqual({
      '/p1/v3/channel/posts': ['post'],
      '/p3/v3/profile/photos': ['photo'],
      '/p3/v3/profile/reels': ['reel'],
      '/p4/v3/post/details, comments': ['comment'],
    });
  });
});

const album = `/p3/v3/post/details?url=https://www.facebook.com/thelab/posts/880000000000002&renderableFormats=all`;
const reels = '/p2/v3/media/audio/details?audioId=1000000000000001&renderableFormats=lowres';

/** Returns the link to the first file of each content item. */
const firstMedia = ({ contents = [] }: Result) =>
  contents.map(({ videos, images }) => videos?.[0]?.url ?? images?.[0]?.url);

const executionUrls = ({ contents = [] }: Result) =>
  contents.flatMap(({ renderableVideos = [] }) =>
    renderableVideos.flatMap(({ renderConfig }) => renderConfig?.executionUrl ?? []),
  );

const blockedNote = (count: string) => `Omitted ${count} that the operator of this service has blocked.`;

describe('of several contents, the blocked ones are left out', () => {
  test('of an album, with its picture as the thumbnail', async () => {
    const { body: open } = await request(album);
    const links = firstMedia(open);
    expect([links.length, open.metadata.additionalData?.videoId]).toEqual([5, '780000000000002']);
    await whileBlocked('p3', 'item', '680000000000001', async () => {
      const { status, body } = await request(album);
      expect([status, firstMedia(body)]).toEqual([200, links.slice(1)]);
      expect(JSON.stringify(body)).not.toContain(links[0]);
      expect(body.metadata.thumbnailUrl).toBe(open.metadata.thumbnailUrl);
      expect(body.notes).toContain(blockedNote('1 item'));
      const [url = ''] = executionUrls(body);
      expect((await fetchJson(url)).status).toBe(202);
    });
    await whileBlocked('p3', 'item', '680000000000003', async () => {
      await whileBlocked('p3', 'item', '780000000000002', async () => {
        const { body } = await request(album);
        expect(firstMedia(body)).toEqual([links[0], links[1], links[4]]);
        // It is a picture of the video.
        expect(body.metadata).not.toHaveProperty('thumbnailUrl');
        expect(body.metadata.additionalData).not.toHaveProperty('videoId');
        expect([body.notes, executionUrls(body)]).toEqual([expect.arrayContaining([blockedNote('2 items')]), []]);
      });
    });
    expect(firstMedia((await request(album)).body)).toEqual(links);
  });

  test('of a slideshow, also if it was prepared before the block', async () => {
    const query = album.replace('=all', '=slideshow');
    const urlOf = async () => executionUrls((await request(query)).body)[0] ?? '';
    const prepared = await urlOf();
    await whileBlocked('p3', 'item', '680000000000002', async () => {
      expect((await fetchJson(prepared)).status).toBe(451);
      expect((await fetchJson(await urlOf())).status).toBe(202);
    });
  });

  test('of a list of reels, with their entries; if all are blocked, the list is', async () => {
    const { body: open } = await request(reels);
    const entriesOf = ({ metadata }: Result) => (metadata.additionalData?.reels ?? []) as readonly Entry[];
    const [first, ...others] = entriesOf(open);
    const { author } = first as unknown as { readonly author: { readonly username: string } };
    for (const [kind, value = ''] of [
      ['item', first?.id],
      ['channel', `@${author.username}`],
    ] as const) {
      await whileBlocked('p2', kind, value, async () => {
        const { status, body } = await request(reels);
        expect(status).toBe(200);
        const rest = entriesOf(body);
        expect(rest).not.toContainEqual(first);
        expect(body.contents).toHaveLength(rest.length);
        const missing = entriesOf(open).length - rest.length;
        expect(body.notes).toContain(blockedNote(missing === 1 ? '1 item' : `${missing} items`));
      });
    }
    expect(others).not.toEqual([]);
    const blockAll = (left: readonly Entry[], use: () => Promise<void>): Promise<void> => {
      const [entry, ...further] = left;
      return entry === undefined ? use() : whileBlocked('p2', 'item', entry.id, () => blockAll(further, use));
    };
    await blockAll(others, async () => {
      expect(entriesOf((await request(reels)).body)).toEqual([first]);
      await whileBlocked('p2', 'item', first?.id ?? '', async () => {
        const refused = { status: 451, body: { error: { code: 'blocked', reason: 'Order 7' } } };
        expect(await request(reels)).toMatchObject(refused);
      });
    });
  });

  test('for AI assistants', async () => {
    const { call, close } = await connectOverHttp(world.service.url, headers());
    await whileBlocked('p3', 'item', '680000000000001', async () => {
      const { text } = await call('get_details', { link: 'https://www.facebook.com/thelab/posts/880000000000002' });
      expect(text).toContain(blockedNote('1 item'));
    });
    await close();
  });
});
