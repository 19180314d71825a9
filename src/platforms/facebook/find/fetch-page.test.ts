import { expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { sitePage } from '../testing/pages.ts';
import { fetchPages, startLookup, timeLeft } from './fetch-page.ts';
import { createSignInWalls } from './sign-in-walls.ts';

const { context } = fakeSite(() => ({ body: '' }));
const lookup = startLookup(context, { site: defaultSite, signInWalls: createSignInWalls() }, 'post');

it('gives a request whole milliseconds of the remaining time, at most 8,000', () => {
  expect(timeLeft(lookup)).toBe(8000);
  const short = timeLeft({ ...lookup, context: { ...context, timeLeft: () => 4000.7 } });
  expect(short).toBe(3000);
});

it('throws when hardly any time is left', () => {
  const late = expect.objectContaining({ code: 'operation_timeout' });
  expect(() => timeLeft({ ...lookup, context: { ...context, timeLeft: () => 1400 } })).toThrow(late);
});

it.each([
  ['no other one was asked', ['/empty'], false],
  ['another one lacks it, too', ['/empty', '/other-empty'], false],
  ['another one did not answer', ['/empty', '/silent'], true],
])(
  'what a page lacks is absent, which a retry may change only if another address did not answer: %s',
  async (_, paths, retryable) => {
    const site = fakeSite(({ url }) => {
      if (url.pathname === '/silent') return new MillraceError('operation_timeout', 'Late.');
      return { body: sitePage([{ operation: 'X', data: {} }]) };
    });
    const siteLookup = startLookup(site.context, { site: defaultSite, signInWalls: createSignInWalls() }, 'post');
    const [first = '', ...others] = paths;
    const strategy = (path: string) => ({ name: path, url: `https://www.facebook.com${path}` });
    const pages = fetchPages([strategy(first), ...others.map(strategy)], () => undefined, siteLookup);
    await expect(pages).rejects.toMatchObject({ code: 'not_found', retryable });
  },
);
