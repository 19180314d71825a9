import { describe, expect, it } from 'vitest';
import { olderPage, oldestPage, page, relayPin } from '../testing/pins.ts';
import { mergePartial } from './merge-partial.ts';
import { pinInPage } from './page-data.ts';

const notFoundRoot = { __typename: 'PinNotFound' };

describe.each([
  ['completed requests', page],
  ['response scripts', olderPage],
])('a page with %s', (_, make) => {
  it('contains the pin, merged from its partial responses', () => {
    const html = make(
      '12345',
      relayPin({ title: '', storyPinData: { pages: [{ blocks: [{ blockType: 3 }] }] } }),
      relayPin({ title: 'A "title" {', storyPinData: { pages: [{ pageId: '1', blocks: [{ text: 'x' }] }, {}] } }),
    );
    expect(pinInPage(html, ['12345'])).toEqual({
      pin: {
        title: 'A "title" {',
        storyPinData: { pages: [{ pageId: '1', blocks: [{ blockType: 3, text: 'x' }] }, {}] },
      },
    });
  });

  it('ignores responses about other pins, but accepts those about a pin that was merged into another', () => {
    expect(pinInPage(make('777', relayPin({ title: 'x' })), ['12345'])).toBeUndefined();
    expect(pinInPage(make('777', relayPin({ entityId: '12345' })), ['12345'])).toEqual({ pin: { entityId: '12345' } });
    expect(pinInPage(make('12345', relayPin({ entityId: '777' })), ['12345'])).toEqual({ pin: { entityId: '777' } });
  });

  it('reports that the pin does not exist, unless another response contains it', () => {
    expect(pinInPage(make('12345', notFoundRoot, notFoundRoot), ['12345'])).toEqual({ gone: true });
    expect(pinInPage(make('777', notFoundRoot), ['12345'])).toBeUndefined();
    expect(pinInPage(make('12345', notFoundRoot, relayPin({ title: 'x' })), ['12345'])).toEqual({
      pin: { title: 'x' },
    });
  });

  it('reports data about the pin that cannot be read', () => {
    const story = { __typename: 'StoryPin', content: { title: 'x' } };
    expect(pinInPage(make('12345', story), ['12345'])).toEqual({ unread: { StoryPin: 1 } });
    expect(pinInPage(make('12345', { content: {} }), ['12345'])).toEqual({
      unread: { [make === page ? 'v3GetPinQueryv2' : 'v3GetPinQuery']: 1 },
    });
    expect(pinInPage(make('12345', story, notFoundRoot), ['12345'])).toEqual({ unread: { StoryPin: 1 } });
    expect(pinInPage(make('777', story), ['12345'])).toBeUndefined();
  });

  it.each([
    ['another name of the query', /v3GetPinQuery(?:v2)?/g, 'v4PinQuery', { pin: { title: 'x' } }],
    ['another name of the ID', /pinId/g, 'pinID', { unread: { V3GetPin: 1 } }],
    ['another type', /V3GetPin"/g, 'V4GetPin"', { pin: { title: 'x' } }],
    ['another query and type', /v3Get|V3Get/g, 'v4Get', { unread: { v4GetPinQuery: 1 } }],
    ['another member', /"data":\{"title/g, '"pin":{"title', { unread: { V3GetPin: 1 } }],
  ])('with %s is read, or reported', (_, name, newName, expected) => {
    const html = make('12345', relayPin({ title: 'x' }))
      .replaceAll('Queryv2', 'Query')
      .replace(name, newName);
    expect(pinInPage(html, ['12345'])).toEqual(expected);
  });

  it('loses only truncated responses', () => {
    const html = make('12345', relayPin({ title: 'a' }), relayPin({ title: 'b', seoTitle: 'c' }));
    const truncatedHtml = html.slice(0, html.indexOf('seoTitle') + 5);
    expect(pinInPage(truncatedHtml, ['12345'])).toEqual({ pin: { title: 'a' } });
  });
});

it('reads the state of the oldest pages', () => {
  expect(pinInPage(oldestPage('12345', { id: '12345' }), ['12345'])).toEqual({ pin: { id: '12345' } });
  expect(pinInPage(oldestPage('777', { id: '777' }), ['12345'])).toBeUndefined();
});

it.each([
  [
    'another function',
    '<script data-relay-completed-request="true">window.save("x", {})</script>',
    { relay_script: 1 },
  ],
  ['requests without responses', '<script data-relay-pending-request="true">window.wait("x")</script>', undefined],
])('a page with %s is distinguished from a page without data', (_, html, unread) => {
  expect(pinInPage(`<html>${html}`, ['12345'])).toEqual(unread && { unread });
  expect(pinInPage(`<html>${html}<p`, ['12345'])).toBeUndefined();
});

it.each([
  ['', 'nothing'],
  ['window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("', 'an open call'],
  ['window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("%E0%A4%A", {"data":{}})', 'a broken escape'],
  ['<script data-relay-response="true">{"a":', 'an open script'],
])('%s contains no data', (html) => {
  expect(pinInPage(html, ['12345'])).toBeUndefined();
});

describe('mergePartial', () => {
  it.each([
    [{ a: null }, { a: 1 }, { a: 1 }],
    [{ a: 1 }, { a: null, b: 2 }, { a: 1, b: 2 }],
    [{ a: ' ' }, { a: 'x' }, { a: 'x' }],
    [{ a: 1 }, { a: 2 }, { a: 1 }],
    [{ a: [1, { b: null }] }, { a: [2, { b: 3 }, 4] }, { a: [1, { b: 3 }, 4] }],
    [{ a: {} }, { a: [1] }, { a: {} }],
  ])('merges %j and %j into %j', (first, second, expected) => {
    expect(mergePartial(first, second)).toEqual(expected);
  });

  it('does not modify prototypes and does not merge beyond the maximum depth', () => {
    const result = mergePartial(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"b":2}}'));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).b).toBeUndefined();
    const deep = () => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    expect(() => mergePartial(deep(), deep())).not.toThrow();
  });
});
