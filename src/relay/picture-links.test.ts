import { expect, test } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { createSealer } from '../sealing/sealer.ts';
import { runSteps } from '../waiting/steps.ts';
import { relayPictureLinks } from './picture-links.ts';
import { openRelayLink } from './relay-link.ts';

const sealer = createSealer(['a secret of the tests']);
const base = 'https://api.example';
const offer = {
  account: { id: 'extraction:1', plan: plans.PRO, test: false, visitor: 'v' },
  title: 'A title',
  exit: 'direct',
  addresses: { base, api: base, render: base },
  sealer,
};
const picture = (name: string) => ({ url: `https://cdn.example/${name}.jpg`, width: 10, height: 10 });

test('relayPictureLinks replaces image URLs at any position with relay links, and leaves other URLs unchanged', () => {
  const metadata = {
    title: 'https://cdn.example/title',
    thumbnailUrl: 'https://cdn.example/t.jpg',
    author: { id: 'a', url: 'https://site.example/a', thumbnails: [picture('a')] },
    channel: { avatar: [picture('b')], banner: [picture('c')], links: [{ url: 'https://cdn.example/link' }] },
    post: { type: 'post', id: 'p', images: [{ url: 'https://cdn.example/d.jpg', thumbnails: [picture('e')] }] },
    additionalData: {
      searchResults: { results: [{ type: 'video', id: 'v', thumbnails: [picture('f')] }], nextToken: null },
    },
  };
  const result = runSteps(relayPictureLinks(metadata, offer, ['p1/item/a'], new Map([[metadata.post, ['p1/item/p']]])));
  const text = JSON.stringify(result);
  expect(text.match(/https:\/\/cdn\.example\/[^"]*/g)).toEqual([
    'https://cdn.example/title',
    'https://cdn.example/link',
  ]);
  const orders = [...text.matchAll(/\/relay\/([\w-]+)\/image\.jpeg/g)].map(([, part = '']) =>
    openRelayLink(sealer, part),
  );
  expect(orders.map(({ url }) => url.at(-5))).toEqual(['t', 'a', 'b', 'c', 'd', 'e', 'f']);
  expect(orders[0]).toMatchObject({
    owner: 'extraction:1/v',
    mediaType: 'image/jpeg',
    headers: {},
    subjects: ['p1/item/a'],
  });
  expect(orders.map(({ subjects }) => subjects?.length)).toEqual([1, 1, 1, 1, 2, 2, 1]);
  expect(text.replaceAll(/https:\/\/api\.example\/relay\/[\w-]+\/image\.jpeg/g, '')).toBe(
    JSON.stringify(metadata).replaceAll(/https:\/\/cdn\.example\/\w\.jpg/g, ''),
  );
});

test('relayPictureLinks leaves unknown structures unchanged', () => {
  const odd = {
    thumbnailUrl: 7,
    author: { thumbnails: 'https://cdn.example/x', avatar: null, images: [null, 'x', { url: 1 }] },
  };
  expect(runSteps(relayPictureLinks(odd as never, offer, [], new Map()))).toEqual(odd);
});
