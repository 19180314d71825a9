import { describe, expect, test } from 'vitest';
import { forms as dailymotion } from '../../lab/platforms/dailymotion/link-forms.ts';
import { forms as facebook } from '../../lab/platforms/facebook/link-forms.ts';
import { forms as instagram } from '../../lab/platforms/instagram/link-forms.ts';
import { forms as pinterest } from '../../lab/platforms/pinterest/link-forms.ts';
import { forms as tiktok } from '../../lab/platforms/tiktok/link-forms.ts';
import { forms as youtube } from '../../lab/platforms/youtube/link-forms.ts';
import { MillraceError } from '../contract/errors.ts';
import { recognise } from './facebook/links.ts';
import { createPlatforms, defaultSettings } from './index.ts';
import type { Endpoint } from './platform.ts';

/** Maximum characters of a parameter in sealed links. */
const MAX_CANONICAL = 350;

const forms = { p1: youtube, p2: instagram, p3: facebook, p4: tiktok, p5: dailymotion, p6: pinterest };
const endpoints = createPlatforms(defaultSettings).flatMap(({ id, endpoints: all }) =>
  all.filter(({ contents }) => contents).map((endpoint) => ({ id, path: endpoint.path, endpoint })),
);
const junk = Array.from({ length: 60 }, (_, index) => `r${(index * 7919 + 104_729).toString(36)}`).join('');

/** Returns the parameter with the link, in canonical form; undefined if the endpoint refuses it. */
function canonicalOf({ canonical, parameters }: Endpoint, text: string): readonly [string, string] | undefined {
  const [name = ''] = parameters.required ?? [];
  try {
    const value = canonical?.({ [name]: text })[name];
    if (typeof value !== 'string') throw new Error(`${name} has no canonical form`);
    return [name, value];
  } catch (error) {
    if (error instanceof MillraceError) return undefined;
    throw error;
  }
}

describe.each(endpoints)('the canonical form of a link for $id$path', ({ id, endpoint }) => {
  const links = forms[id as keyof typeof forms].flatMap((form) => form.links);
  const texts = links.flatMap((link) => {
    const text = canonicalOf(endpoint, link);
    return text === undefined ? [] : [{ link, name: text[0], value: text[1] }];
  });

  test('names the same item and channel, and is its own canonical form', () => {
    expect(texts.length).toBeGreaterThan(0);
    for (const { link, name, value } of texts) {
      expect(endpoint.subjects({ [name]: value }), link).toEqual(endpoint.subjects({ [name]: link }));
      expect(canonicalOf(endpoint, value), link).toEqual([name, value]);
    }
  });

  test('has nothing of the text around the link, nor of what is appended to it', () => {
    for (const { link, name, value } of texts) {
      const appended = `${link}${link.includes('?') ? '&' : '?'}zz=${junk}#${junk}`;
      for (const text of [`${junk} ${link} ${junk}`, appended]) {
        const [, canonical = ''] = canonicalOf(endpoint, text) ?? [];
        expect(canonical, text).toBe(value);
        expect(canonical.length).toBeLessThanOrEqual(MAX_CANONICAL);
        expect(endpoint.subjects({ [name]: canonical })).toEqual(endpoint.subjects({ [name]: text }));
      }
    }
  });
});

test.each(facebook.flatMap(({ links }) => links))('the canonical form of %s has the same meaning', (link) => {
  const endpoint = endpoints.find(({ id }) => id === 'p3')?.endpoint;
  const [, value] = (endpoint && canonicalOf(endpoint, link)) ?? [];
  if (value !== undefined && recognise(link)?.kind !== 'profile') expect(recognise(value)).toEqual(recognise(link));
});
