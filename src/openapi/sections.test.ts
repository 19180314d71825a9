import { expect, test } from 'vitest';
import { errorCatalogue } from '../contract/errors.ts';
import { plans } from '../contract/subscription-plans.ts';
import { errorSection, limitSection } from './sections.ts';

test('the section on errors has a row for each code, with its status', () => {
  const section = errorSection();
  for (const code of Object.keys(errorCatalogue)) expect(section.split(`\n| \`${code}\` | `)).toHaveLength(2);
  expect(section).toContain('| `not_found` | 200 (404) |');
  expect(section).toContain('| `rate_limited` | 429, retryable |');
  expect(section).toContain('| `processing_failed` | job failed, retryable |');
});

test('the section on limits has the values of the given plans', () => {
  const section = limitSection([{ ...plans.BASIC, credits: 1_234 }, plans.MEGA]);
  expect(section).toContain('| Limit | BASIC | MEGA |\n| --- | --- | --- |\n');
  expect(section).toContain('| Credits per month | 1,234 | 200,000 |');
  expect(section).toContain('| Size of a rendered file | 500.00 MB |');
});
