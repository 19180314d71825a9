import { expect, test } from 'vitest';
import { readContinuation } from './continuations.ts';
import { readPage } from './item-list.ts';
import { readLocalisedPage, unknownKindNotes } from './localised-page.ts';

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
    unknownKinds: { newThingRenderer: 1, videoRenderer: 1 },
  });
  expect(unknownKindNotes({ unknownKinds: { aRenderer: 2 } })).toEqual([
    'Omitted 2 entries of an unknown kind (aRenderer).',
  ]);
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
    unknownKinds: {},
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
