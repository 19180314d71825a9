import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import { scriptData } from './script-data.ts';

describe('scriptData', () => {
  it.each([
    ['<script id="a" type="application/json">{"b":1}</script>', { json: { b: 1 } }],
    ['<script\n  type="application/json"\n  id="a"\n>{"b":1}</script >', { json: { b: 1 } }],
    ['<p id="a">{"b":2}</p><script id="a">{"b":1}</script>', { json: { b: 1 } }],
    ['<script>x</script><p id="a"></p>', undefined],
    ['<script id="a">{"b":', { json: undefined }],
    ['<script id="a"', undefined],
    ['id="a"', undefined],
    ['', undefined],
  ])('reads %s', (html, data) => {
    expect(scriptData(html, 'a')).toEqual(data);
  });

  it('is fast with many elements that have the same ID', () => {
    const html = '<p id="a">'.repeat(500_000);
    const elapsed = startCpuClock();
    expect(scriptData(html, 'a')).toBeUndefined();
    expect(elapsed()).toBeLessThan(1000);
  });
});
