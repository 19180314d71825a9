import { describe, expect, test } from 'vitest';
import type { About } from '../../contract/about.ts';
import { aboutPage } from './about-page.ts';
import { aboutSettings } from './about-settings.ts';
import { durationText } from './duration-text.ts';
import { describeRetention } from './retention.ts';
import { textHtml } from './text-html.ts';

const facts = {
  job: { default: 3_600_000, max: 86_400_000 },
  executionUrl: 86_400_000,
  webhook: 86_400_000,
  result: 120_000,
  unread: 0,
  linkCounts: 86_400_000,
  refusedMedia: 3_600_000,
  visitorStarts: 86_400_000,
  visitorCredits: 172_800_000,
  auditLog: 34_560_000_000,
  loggedAddresses: false,
  traces: false,
};
const page = (about: Partial<About>) =>
  aboutPage({ operator: {}, terms: {}, retention: [], ...about }, (path) => `./assets/1/${path}`);

describe('the settings', () => {
  const { OPERATOR_CONTACT, OPERATOR_NAME, TERMS } = aboutSettings;

  test.each([
    ['ada@example.org', 'mailto:ada@example.org'],
    ['https://example.org/contact/', 'https://example.org/contact/'],
  ])('OPERATOR_CONTACT may be %s', (text, url) => {
    expect(OPERATOR_CONTACT.read(text)).toBe(url);
  });

  test.each(['ada', 'ada@', 'javascript:alert(1)', 'ada@example.org?bcc=eve@example.org', 'mailto:a@b.example'])(
    'OPERATOR_CONTACT must not be %s',
    (text) => {
      expect(() => OPERATOR_CONTACT.read(text)).toThrow('must be an e-mail address, or an HTTP or HTTPS address');
    },
  );

  test.each(['https://ada:secret@example.org/', 'https://ada@example.org/'])(
    'no URL may contain credentials: %s',
    (url) => {
      expect(() => OPERATOR_CONTACT.read(url)).toThrow('must be an e-mail address, or an HTTP or HTTPS address');
      expect(() => TERMS.read(url)).toThrow('must be an HTTP or HTTPS address without credentials');
    },
  );

  test('texts contain no control characters', () => {
    for (const text of ['a\u0000', '\u001b[31ma', 'a\u0007b', 'a\u0085']) {
      expect(() => OPERATOR_NAME.read(text)).toThrow('must contain no control characters');
      expect(() => TERMS.read(text)).toThrow('must contain no control characters');
    }
    expect(TERMS.read('# A\r\n\r\n-\tb')).toEqual({ text: '# A\r\n\r\n-\tb' });
  });

  test('TERMS is a URL or a text', () => {
    expect(TERMS.read('https://example.org/terms/')).toEqual({ url: 'https://example.org/terms/' });
    expect(TERMS.read('https://example.org/terms')).toEqual({ url: 'https://example.org/terms' });
    expect(TERMS.read('See https://example.org')).toEqual({ text: 'See https://example.org' });
  });

  test('have a maximum length', () => {
    expect(() => OPERATOR_NAME.read('a'.repeat(201))).toThrow('must have at most 200 characters');
    expect(() => TERMS.read('a'.repeat(100_001))).toThrow('must have at most 100000 characters');
  });
});

describe('the page', () => {
  test('says what the operator has not published', () => {
    const text = page({});
    expect(text).toContain('The operator has not published a contact.');
    expect(text).toContain('The operator has not published terms of use.');
    expect(text).toContain('The operator has not published a contact for requests about data.');
  });

  test('names the operator, and links to the contact and the terms', () => {
    const operator = { name: 'Ada & Sons', contact: 'mailto:ada@example.org' };
    const text = page({ operator, terms: { url: 'https://example.org/terms' } });
    expect(text).toContain('<p>Ada &amp; Sons</p>');
    expect(text.match(/<a href="mailto:ada@example.org" rel="noopener noreferrer">ada@example.org<\/a>/g)).toHaveLength(
      2,
    );
    expect(text).toContain('<a href="https://example.org/terms" rel="noopener noreferrer">Read the terms of use</a>');
  });

  test('prefers the texts of the operator to the standard ones', () => {
    const text = page({ terms: { text: 'Be kind.' }, removal: 'Write us <b>a letter</b>.' });
    expect(text).toContain('<p>Be kind.</p>');
    expect(text).toContain('<p>Write us &lt;b&gt;a letter&lt;/b&gt;.</p>');
    expect(text).not.toContain('The operator has not published a contact for requests about data.');
  });

  test('lists the kinds of data, each with its time limit', () => {
    const text = page({ retention: [...describeRetention(facts)] });
    expect(text).toContain(
      '<dt>Finished files</dt>\n<dd><strong>At most 24 hours.</strong> Kept until their job expires: 1 hour',
    );
    expect(text).toContain('<strong>At most 400 days.</strong> Who changed which key');
    expect(text).toContain('<dt>Keys</dt>\n<dd>A hash of each key');
  });

  test('needs no scripts, no inline styles and no other host', () => {
    const text = page({ terms: { text: '<script>alert(1)</script>' } });
    expect(text).not.toMatch(/<script|\bstyle=|\bon[a-z]+=|(?:src|href)="(?:https?:)?\/\//);
  });
});

describe('retention', () => {
  const kept = (more: Partial<typeof facts>) => describeRetention({ ...facts, ...more }).map(({ data }) => data);

  test('lists only what the settings of the service make it keep', () => {
    expect(kept({})).toContain('Results of platforms');
    expect(kept({ result: 0 })).not.toContain('Results of platforms');
    expect(kept({})).not.toContain('Responses of platforms that could not be read');
    expect(kept({ unread: 86_400_000 })).toContain('Responses of platforms that could not be read');
    expect(kept({})).not.toContain('Timing data of requests');
    const addresses = (logged: boolean) => JSON.stringify(describeRetention({ ...facts, loggedAddresses: logged }));
    expect(addresses(true)).toContain('names the address of each request');
    expect(addresses(false)).not.toContain('names the address of each request');
    expect(kept({ traces: true })).toContain('Timing data of requests');
  });
});

test.each([
  [1_000, '1 second'],
  [120_000, '2 minutes'],
  [3_600_000, '1 hour'],
  [86_400_000, '24 hours'],
  [172_800_000, '2 days'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

describe('a text of the operator', () => {
  test('becomes paragraphs, lists and headings', () => {
    expect(textHtml('# One\ntwo\nthree\r\n\r\n- four\n- five\nsix').text).toBe(
      '<h4>One</h4>\n<p>two<br>three</p>\n<ul class="points"><li>four</li><li>five</li></ul>\n<p>six</p>\n',
    );
  });

  test('has links, and nothing else that a browser interprets', () => {
    expect(textHtml('See https://a.example/b?c=1&d, or <a href="javascript:e">.').text).toBe(
      '<p>See <a href="https://a.example/b?c=1&amp;d" rel="noopener noreferrer nofollow">https://a.example/b?c=1&amp;d</a>' +
        ', or &lt;a href=&quot;javascript:e&quot;&gt;.</p>\n',
    );
  });
});
