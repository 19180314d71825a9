import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { type ErrorCode, errorCatalogue, MillraceError } from '../src/contract/errors.ts';
import { priceOfFailure } from '../src/extraction/response/prices.ts';
import type { Endpoint } from '../src/platforms/platform.ts';

const page = readFileSync(new URL('../docs/reference/plans-and-credits.md', import.meta.url), 'utf8');

const endpoint: Endpoint = {
  path: '/video/details',
  summary: 'A video.',
  parameters: Type.Object({}),
  credits: 1,
  contents: true,
  subjects: () => ({}),
  extract: () => Promise.reject(new Error('not here')),
};

/** Returns the cost of each code in the table of failures, as the page states it. */
function statedCosts(): Map<string, string> {
  const [, section = ''] = page.split('## What each failure costs');
  const [table = ''] = section.trim().split('\n\n');
  return new Map(
    table.split('\n').flatMap((row) => {
      const [, , codes = '', cost = ''] = row.split('|').map((cell) => cell.trim());
      return [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, cost] as const);
    }),
  );
}

// Extractions report a redirect to an address that is not public as unexpected_redirect.
const convertedCodes: readonly ErrorCode[] = ['address_refused'];

test('the page states what each failure costs, as the service charges it', () => {
  const costs = statedCosts();
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => !convertedCodes.includes(code));
  const charged = codes.map((code) => {
    return [code, priceOfFailure(endpoint, {}, new MillraceError(code, 'No.')) > 0 ? 'the price' : 'nothing'] as const;
  });
  const stated = charged.filter(([code]) => errorCatalogue[code].origin === 'source' || costs.has(code));
  expect(costs.size).toBeGreaterThan(0);
  expect([...costs].toSorted()).toEqual(stated.toSorted());
});
