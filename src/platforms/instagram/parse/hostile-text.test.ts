import { expect, test } from 'vitest';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import { valuesInPage } from './page-data.ts';

test('a page with unopened script blocks is read in linear time', () => {
  // The maximum size of a page.
  const html = 'a'.repeat(8_000_000) + '"data"</script>'.repeat(500);
  const elapsed = startCpuClock();
  expect(valuesInPage(html, 'data')).toEqual([]);
  expect(elapsed()).toBeLessThan(1_000);
});

test('values are found in each block of a page', () => {
  const block = (json: string) => `<script type="application/json">${json}</script>`;
  const html = `<p>data</p></script>${block('{"data":1}')}<script>data</script>${block('{"a":[{"data":2}]}')}`;
  expect(valuesInPage(html, 'data')).toEqual([1, 2]);
});
