import { expect, test } from 'vitest';
import { readContinuation } from './continuations.ts';
import { readPage, requirePage } from './item-list.ts';
import { readLocalisedPage } from './localised-page.ts';

const video = (id: string, title = id) => ({ videoRenderer: { videoId: id, title: { simpleText: title } } });
const command = { continuationCommand: { token: 'T' } };

test.each<[string, unknown]>([
  ['an endpoint', { continuationEndpoint: command }],
  ['an executor', { continuationEndpoint: { commandExecutorCommand: { commands: [{ a: 1 }, command] } } }],
  ['a button', { button: { buttonRenderer: { command } } }],
  ['a view model', { continuationCommand: { innertubeCommand: command } }],
])('finds the token under %s', (_name, item) => expect(readContinuation(item)).toBe('T'));

test('reads items in order, with shelves, messages and unknown kinds', () => {
  const shelf = {
    title: { simpleText: 'People also watched' },
    content: { verticalListRenderer: { items: [video('bbbbbbbbbbb')] } },
  };
  const page = readPage({
    contents: {
      sectionListRenderer: {
        contents: [
          {
            itemSectionRenderer: { contents: [video('aaaaaaaaaaa'), { adSlotRenderer: {} }, { shelfRenderer: shelf }] },
          },
          { itemSectionRenderer: { contents: [{ newThingRenderer: { a: 1 } }, video('short'), video('ccccccccccc')] } },
          { messageRenderer: { text: { simpleText: 'No more.' } } },
          { continuationItemRenderer: { continuationEndpoint: command } },
        ],
      },
    },
  });
  expect(page.items.map(({ id, shelf }) => [id, shelf])).toEqual([
    ['aaaaaaaaaaa', undefined],
    ['bbbbbbbbbbb', 'People also watched'],
    ['ccccccccccc', undefined],
  ]);
  expect(page).toMatchObject({
    continuation: 'T',
    messages: ['No more.'],
    unread: { newThingRenderer: 1, videoRenderer: 1 },
  });
});

test('counts an unknown entry once, by the name inside its wrapper, whatever it contains', () => {
  const entry = {
    videoV2: { navigationEndpoint: {}, menu: { items: [{ aRenderer: {} }] }, badges: [{ bRenderer: {} }] },
  };
  const contents = [video('aaaaaaaaaaa'), { richItemRenderer: { content: entry } }, entry, null, {}, 'text'];
  expect(readPage({ contents: { richGridRenderer: { contents } } }).unread).toEqual({ videoV2: 2, empty: 3 });
});

test('counts a continuation without a token, and a post with an attachment of an unknown kind', () => {
  const post = { postRenderer: { postId: 'Ugkx', backstageAttachment: { holoRenderer: {} } } };
  const page = readPage({ contents: { items: [post, { continuationItemRenderer: { tokenV2: 'T' } }] } });
  expect(page).toMatchObject({ items: [{ id: 'Ugkx' }], unread: { holoRenderer: 1, continuationItemRenderer: 1 } });
});

test('does not count advertising, surveys and panels', () => {
  const names = ['adSlotRenderer', 'inlineSurveyRenderer', 'relatedChipCloudRenderer', 'universalWatchCardRenderer'];
  const contents = [video('aaaaaaaaaaa'), ...names.map((name) => ({ richItemRenderer: { content: { [name]: {} } } }))];
  expect(requirePage({ contents })).toMatchObject({ items: [{ id: 'aaaaaaaaaaa' }], unread: {} });
});

test.each<[string, object, object]>([
  ['no list', { metadata: {} }, { empty: 1 }],
  ['a list with another name', { contentsV2: { items: [video('aaaaaaaaaaa')] } }, { contentsV2: 1 }],
  ['only unknown entries', { contents: [{ aRenderer: {} }, { aRenderer: {} }] }, { aRenderer: 2 }],
  ['an empty first page', { contents: { sectionListRenderer: { contents: [] } } }, { contents: 1 }],
  [
    'another command',
    { onResponseReceivedActions: [{ addItems: { entries: [video('aaaaaaaaaaa')] } }] },
    { addItems: 1 },
  ],
])('rejects a response with %s', (_name, response, unread) => {
  expect(() => requirePage(response)).toThrow(expect.objectContaining({ code: 'invalid_response_data', unread }));
});

test('accepts an empty list that the site explains or sends as the last page', () => {
  const message = { messageRenderer: { text: { simpleText: 'No videos.' } } };
  expect(requirePage({ contents: { items: [message] } }).messages).toEqual(['No videos.']);
  const last = { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: [] } }] };
  expect(requirePage(last).items).toEqual([]);
});

test('reads the items of a continuation and not their surroundings', () => {
  const response = {
    contents: { richGridRenderer: { contents: [video('aaaaaaaaaaa')] } },
    onResponseReceivedActions: [
      {
        appendContinuationItemsAction: { continuationItems: [{ richItemRenderer: { content: video('bbbbbbbbbbb') } }] },
      },
    ],
  };
  expect(readPage(response)).toEqual({
    items: [expect.objectContaining({ id: 'bbbbbbbbbbb' })],
    messages: [],
    unread: {},
  });
});

test("takes titles from the response in the caller's language", () => {
  const response = { contents: { items: [video('aaaaaaaaaaa', 'One'), video('bbbbbbbbbbb', 'Two')] } };
  const translation = { contents: { items: [video('bbbbbbbbbbb', 'Zwei')] } };
  expect(readLocalisedPage({ response, translation }).items.map(({ id, ...rest }) => ({ id, ...rest }))).toMatchObject([
    { title: 'One' },
    { title: 'Zwei' },
  ]);
});

test('rejects a response that is nested too deeply', () => {
  const response = JSON.parse(`${'{"contents":'.repeat(5_000)}{}${'}'.repeat(5_000)}`);
  expect(() => readPage(response)).toThrow('nested too deeply');
});
