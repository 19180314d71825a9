/** @module-tag long */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasBrowser, openBrowser, type Visit, visit } from '../../support/browser.ts';
import {
  countRequests,
  lookAt,
  openEverything,
  type RecordedResponses,
  replaceSiteTexts,
  replaceTexts,
  type Sight,
} from '../../support/site-texts.ts';

const service = inject('serviceUrl');

/** Writes a text of a site by its number. */
type Write = (number: number) => string;

/** A view of the page: its address, and how texts of sites get there. */
interface View {
  readonly address: (write: Write) => string;
  readonly prepare: (page: Page, write: Write) => Promise<unknown>;
  /** Selector of what the page shows besides its start, if it does so later than that. */
  readonly shows?: string;
  /** Number of texts of sites that a visitor sees at least. */
  readonly atLeast: number;
}

interface Status {
  readonly platforms: readonly object[];
}

/** What the lab has returned. */
const recorded: RecordedResponses = new Map();

/** The time at every visit, so that texts about times do not change. */
const now = new Date();

/** The health of the sites. It is the same at every visit, because other tests use the service and change it. */
let status: Status;

function sendStatus(page: Page, json: unknown): Promise<unknown> {
  return page.route('**/status', (route) => route.fulfill({ json }));
}

/** The view of a result that the lab returns. */
function resultOf(text: string, atLeast: number, separator = '?'): View {
  return {
    address: () => `${separator}${new URLSearchParams({ q: text })}`,
    async prepare(page, write) {
      await replaceSiteTexts(page, write, recorded);
      await sendStatus(page, replaceTexts(status, write));
    },
    atLeast,
  };
}

/** The view of what the browser has stored at an earlier visit. */
function stored(storage: 'localStorage' | 'sessionStorage', key: string, value: (write: Write) => object): View {
  return {
    address: () => '',
    prepare: (page, write) =>
      page.addInitScript(`${storage}.setItem('${key}', ${JSON.stringify(JSON.stringify(value(write)))})`),
    shows: storage === 'localStorage' ? '.file' : '.queue',
    atLeast: 3,
  };
}

const file = { kind: 'video', platform: 'p1', source: '?q=lab', progress: 100, sseStatusUrl: '/', executionUrl: '/' };
const item = { source: '?q=lab', wanted: 'best', progress: 0, files: [], saved: true };
const noResults = { error: null, metadata: { additionalData: { searchResults: { results: [], nextToken: null } } } };

const views: Readonly<Record<string, View>> = {
  'a video': resultOf('https://www.youtube.com/watch?v=lab-dubbed1', 6),
  'a carousel': resultOf('https://www.instagram.com/p/lab-caromix/', 2),
  'a playlist': resultOf('https://www.youtube.com/playlist?list=PLWRjEoDaDVmPviMPAcrS8dXGhvkRjcnJR', 10),
  'search results': resultOf('old bridges', 10),
  'a channel': resultOf('https://www.youtube.com/@thelab', 10),
  'a profile with posts': resultOf('https://www.instagram.com/thelab/', 5),
  'a profile without posts': resultOf('https://www.tiktok.com/@thelab', 2),
  'a live stream': resultOf('https://youtu.be/lab-live-on', 2),
  'several links': resultOf('https://youtu.be/lab-min-002 https://youtu.be/lab-plain30', 2, '#'),
  'a post of a channel': resultOf(
    'https://www.youtube.com/channel/UC85zAYFztyDQQgidr86JyUQ/community?lb=Ugkx2qZtLH3fdEHa1kEhFslYnDGGdkPa51bz',
    3,
  ),
  'an error': resultOf('https://youtu.be/lab-removed', 2),
  'the words of a search': {
    address: (write) => `?${new URLSearchParams({ q: `two words ${write(1)}` })}`,
    prepare: (page) => page.route('**/p1/v3/search?*', (route) => route.fulfill({ json: noResults })),
    atLeast: 1,
  },
  'words that another app shares, with further parameters': {
    address: (write) =>
      `?${new URLSearchParams({
        text: `two words ${write(1)}`,
        title: write(2),
        as: write(3),
        country: write(4),
        lang: write(5),
        [write(6)]: write(7),
      })}#${write(8)}`,
    prepare: (page) => page.route('**/p1/v3/search?*', (route) => route.fulfill({ json: noResults })),
    atLeast: 1,
  },
  'a link in a text that another app shares': {
    address: (write) =>
      `?${new URLSearchParams({ title: write(2), text: `Look: https://<${write(1).replaceAll(/[\s/]/g, '')}` })}`,
    prepare: async () => undefined,
    atLeast: 1,
  },
  'a link that another app shares': {
    // No host contains such a character, so the page shows the whole link.
    address: (write) => `?${new URLSearchParams({ url: `https://<${write(1).replaceAll(/[\s/]/g, '')}` })}`,
    prepare: async () => undefined,
    atLeast: 1,
  },
  'the health of the sites': {
    address: () => '',
    prepare: (page, write) => {
      const platforms = status.platforms.map((platform, at) => ({ ...platform, note: write(at + 1) }));
      return sendStatus(page, { ...status, platforms });
    },
    atLeast: 6,
  },
  'the files of the browser': stored('localStorage', 'millrace.files', (write) => [
    {
      ...file,
      id: '1',
      title: write(1),
      label: write(2),
      status: 'done',
      output: { url: 'javascript:globalThis.ran=1', size: 1 },
      notes: [write(3)],
      // A date by which the text about the remaining time does not change within a test.
      expiresAt: '2099-01-01T00:00:00Z',
    },
    {
      ...file,
      id: '2',
      title: write(4),
      label: write(5),
      status: 'failed',
      error: write(6),
      source: 'javascript:ran=1',
    },
  ]),
  'the queue of the browser': stored('sessionStorage', 'millrace.queue', (write) => ({
    items: [
      {
        ...item,
        id: '1',
        title: write(1),
        state: 'failed',
        error: write(2),
        thumbnailUrl: 'data:image/svg+xml,<svg/>',
      },
      { ...item, id: '2', title: write(3), state: 'done', files: [{ url: '//evil.example/a' }] },
    ],
    name: write(4),
    saveMode: 'files',
  })),
};

/** A text that would become something else than text if any part of the page read it as HTML, a template or a script. */
const attack = `<img src=x onerror=ran=1><script>ran=1</script>"'<svg/onload=ran=1>\${ran=1}{{ran=1}}&lt;b&gt;</title>`;

/** Texts that would move the text around them, if it is not isolated: each is as wide as its letters. */
const marks: Readonly<Record<string, (letters: string) => string>> = {
  'an override': (letters) => `\u202e${letters}`,
  'an override behind marks that close isolates': (letters) => `\u2069\u2069\u202c\u2069\u202e${letters}`,
  'an embedding': (letters) => `\u202b${letters}`,
  'an isolate that is not closed': (letters) => `\u2067${letters}`,
  'a mark at its end': (letters) => `${letters}\u200f`,
  'a mark of Arabic at its end': (letters) => `${letters}\u061c`,
};
const markedText = /[\u2066-\u2069\u202a-\u202e]*O{3,}[\u200f\u061c]?/;
const lettersOf: Write = (number) => 'O'.repeat(3 + (number % 7));
/** Pixels by which fonts place letters differently beside marks. */
const KERNING = 2;

/** Returns the letters that are in other places. */
function movedLetters(before: Sight, after: Sight): readonly string[] {
  const lettersIn = ({ texts }: Sight) => texts.flatMap(({ letters }) => letters);
  const expected = lettersIn(before);
  const actual = lettersIn(after);
  const isSame = ([letter, x, y]: (typeof actual)[number], at: number) => {
    const [otherLetter, otherX, otherY] = expected[at] ?? ['', 0, 0];
    return letter === otherLetter && Math.abs(x - otherX) <= KERNING && Math.abs(y - otherY) <= KERNING;
  };
  const moved = actual.filter((each, at) => !isSame(each, at)).map((each) => each.join(' '));
  return actual.length === expected.length ? moved : [...moved, `${actual.length} instead of ${expected.length}`];
}

describe.skipIf(!hasBrowser)('the page shows the texts of sites', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    status = (await (await fetch(`${service}/status`)).json()) as Status;
  });
  afterAll(() => browser.close());

  async function open({ address, prepare, shows }: View, write: Write): Promise<Visit> {
    const opened = await visit(browser, 'about:blank', { reducedMotion: 'reduce' });
    const openRequests = countRequests(opened.page);
    await opened.page.clock.setFixedTime(now);
    await sendStatus(opened.page, status);
    await prepare(opened.page, write);
    await opened.page.goto(`${service}/${address(write)}`);
    if (shows !== undefined) await opened.page.locator(shows).first().waitFor();
    await openEverything(opened.page, openRequests);
    return opened;
  }

  /** Opens a view and returns what a visitor sees. */
  async function see(view: View, write: Write, siteText: RegExp): Promise<Sight> {
    const { page, close } = await open(view, write);
    const sight = await lookAt(page, siteText);
    await close();
    return sight;
  }

  test.each(Object.entries(views))('of %s unchanged, and runs or loads nothing', async (name, view) => {
    const plain = await see(view, (number) => `t${number}.`, /t\d+\./);
    const numbersIn = (texts: Sight['texts']) =>
      new Set(texts.flatMap(({ text }) => [...text.matchAll(/t(\d+)\./g)].map(([, number]) => number)));
    const shown = numbersIn(plain.texts);
    expect(shown.size).toBeGreaterThanOrEqual(view.atLeast);

    const { page, complaints, hosts, close } = await open(view, (number) => `t${number}.${attack}`);
    const sight = await lookAt(page, /t\d+\./);
    // Hosts contain no spaces and slashes.
    const whole = name.startsWith('a link') ? attack.replaceAll(/[\s/]/g, '') : attack;
    expect(numbersIn(sight.texts.filter(({ text }) => text.includes(whole)))).toEqual(shown);
    expect(sight.elements).toEqual(plain.elements);
    expect(sight.otherAddresses).toEqual([]);
    expect(await page.evaluate("'ran' in globalThis")).toBe(false);
    expect([...hosts]).toEqual([new URL(service).host]);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  test.each(Object.entries(views))('of %s without moving the text around them', async (_name, view) => {
    const plain = await see(view, lettersOf, markedText);
    for (const [mark, write] of Object.entries(marks)) {
      const sight = await see(view, (number) => write(lettersOf(number)), markedText);
      expect(movedLetters(plain, sight), mark).toEqual([]);
    }
  });

  test.each(Object.entries(views))('of %s without drawing over the lines around them', async (_name, view) => {
    const { unclipped } = await see(view, (number) => `z${number}.${'\u0301\u0323'.repeat(60)}`, /z\d+\./);
    expect(unclipped).toEqual([]);
  });
});
