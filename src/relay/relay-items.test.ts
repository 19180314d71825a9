import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ItemOrigin } from '../contract/media-origin.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { plans } from '../contract/subscription-plans.ts';
import { createSealer } from '../sealing/sealer.ts';
import { createRelayItemBuilder, RELAY_LINK_LIFETIME_MS, type RelayLinkContext } from './relay-items.ts';
import { memberLink, openRelayLink, type RelayOrder, relayLinkIfShort } from './relay-link.ts';

const sealer = createSealer(['a secret of the tests']);
const base = 'https://api.example';
const context: RelayLinkContext = {
  account: { id: 'extraction:1', plan: plans.PRO, test: false },
  title: undefined,
  exit: 'fr-1',
  addresses: { base, api: base, render: base },
  sealer,
};
const item: ItemOrigin = { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'a' }, content: 2 };
const expiresAt = Date.now() + 60_000;
const media = (url: string, hasStream = true): SourceMedia => ({
  item: {
    label: '720p',
    url,
    repId: '136',
    metadata: { mime_type: 'video/mp4', width: 1, height: 1, has_audio: false },
  },
  ...(hasStream ? { stream: { ext: 'mp4', kind: 'video', expiresAt } } : {}),
});

/** Opens the relay link of an item. */
function orderOf(source: SourceMedia, healsLinks?: boolean, origin = item) {
  const { url, metadata } = createRelayItemBuilder({ ...context, healsLinks }, origin)(source);
  const order = openRelayLink(sealer, new URL(url).pathname.split('/')[2] ?? '');
  expect(metadata.expires_at).toBe(new Date(order.expiresAt).toISOString());
  return order;
}

test('a relay link states where its source link came from', () => {
  expect(orderOf(media('https://cdn.example/a'))).toEqual({
    url: 'https://cdn.example/a',
    headers: {},
    mediaType: 'video/mp4',
    owner: 'extraction:1',
    exit: 'fr-1',
    origin: { ...item, representation: { repId: '136', kind: 'video', expiresAt } },
    expiresAt,
  });
});

test('a relay link outlives its source link only if links are replaced', () => {
  const lifetime = Date.now() + RELAY_LINK_LIFETIME_MS;
  expect(orderOf(media('https://cdn.example/a'), false).expiresAt).toBe(expiresAt);
  expect(orderOf(media('https://cdn.example/a'), true).expiresAt).toBeGreaterThanOrEqual(lifetime);
});

test('a relay link that its origin would make too long has none, and expires with its source link', () => {
  const token = randomBytes(6_000).toString('base64url');
  const tokens = Array.from({ length: 400 }, (_, index) => token.slice(20 * index));
  const plain = { headers: {}, exit: 'fr-1', mediaType: 'video/mp4', owner: 'extraction:1', expiresAt };
  // The longest link that fits without an origin.
  const long = tokens
    .map((text) => `https://cdn.example/${text}`)
    .find((url) => relayLinkIfShort(sealer, base, { ...plain, url }) !== undefined);
  if (long === undefined) throw new Error('no link is short enough');
  const order = orderOf(media(long), true);
  expect([order.url, order.origin, order.expiresAt]).toEqual([long, undefined, expiresAt]);
});

test('a relay link without an origin still states what blocks are compared with', () => {
  const blockable = { ...item, subjects: ['p1/item/a', 'p1/channel/UC1'] };
  const long = `https://cdn.example/${randomBytes(4_700).toString('base64url')}`;
  const origin = { ...blockable, parameters: { videoId: randomBytes(1_500).toString('base64url') } };
  const healing = orderOf(media(long), true, origin);
  expect([healing.origin, healing.subjects]).toEqual([undefined, blockable.subjects]);
  expect(orderOf(media('https://cdn.example/a', false), true, blockable).subjects).toEqual(blockable.subjects);
  const place = {
    origin: { ...origin, representation: { repId: '1', kind: 'video' } },
    link: 'l',
    version: 0,
    path: [],
  };
  const member = openRelayLink(
    sealer,
    memberLink(sealer, base, { ...healing, place } as RelayOrder).split('/')[4] ?? '',
  );
  expect([member.place, member.subjects]).toEqual([undefined, blockable.subjects]);
});

test('the relay link of an image states no origin', () => {
  expect(orderOf(media('https://cdn.example/a', false))).not.toHaveProperty('origin');
});
