/** @module-tag long */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkPatterns } from './check-patterns.ts';
import { openVerdictCache } from './verdict-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
afterAll(() => rmSync(folder, { recursive: true }));
const cacheFile = join(folder, 'cache', 'patterns.json');

/** Checks a module. */
const check = (source: string, file = cacheFile) => checkPatterns(['/a/one.ts'], openVerdictCache(file), () => source);

test.each([
  "host.replace(/\\.+$/, '')",
  '/\\d.*(?:views|reactions)/.test(title)',
  '/([\\d,]+) likes?\\b/.exec(description)',
  'link.replace(/[),.;:!?]+$/, "")',
  'new RegExp("(a+)+$").test(text)',
  '/^(.{1,300}?) \\| (.{1,300}) on Instagram$/.exec(title)',
  '/(?<!x)(a*)*$/.test(text)',
])('reports %s with its location and an attack', async (source) => {
  const [fault, ...others] = await check(`\n${source};`);
  expect(others).toEqual([]);
  expect(fault).toMatch(/one\.ts:2 \/.*\n +Takes .* time, for example on '.*'\.repeat\(/s);
});

test.each([
  'trimTrailing(host, ".").replace(/^\\[(.*)\\]$/, "$1")',
  '/<meta content="([^"]{0,10000})"/.exec(html)',
  '/(?<![\\d,])([\\d,]{1,20}) likes?\\b/.exec(description)',
  'boundedPattern(/^(.{1,300}?) \\| (.{1,300}) on Instagram$/, 616)',
])('accepts %s', async (source) => expect(await check(source)).toEqual([]));

test('reports a pattern whose bound is too high', async () => {
  const [fault] = await check('boundedPattern(/^(a+)+$/, 60)');
  expect(fault).toMatch(/Takes over 1000 ms on 60 characters .* lower its bound/);
});

test('reports a pattern that it cannot read or judge', async () => {
  expect(await check('new RegExp(text)')).toEqual([expect.stringContaining('cannot be checked')]);
  expect(await check('/a(?<!b)++/')).toEqual([expect.stringContaining('could not decide')]);
});

test('keeps verdicts between runs, and treats a damaged cache as empty', async () => {
  const file = join(folder, 'kept.json');
  const pattern = { source: '\\.+$', flags: '' };
  await check("host.replace(/\\.+$/, '')", file);
  expect(openVerdictCache(file).get(`/${pattern.source}/`)).toMatchObject({ kind: 'slow' });
  await check('/a/', file);
  expect(openVerdictCache(file).get(`/${pattern.source}/`)).toBe(undefined);
  writeFileSync(file, '{"version');
  expect(openVerdictCache(file).get('/a/')).toBe(undefined);
});
