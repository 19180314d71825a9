import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, json, startTestLab } from '../testing.ts';

let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());
afterEach(() => setDrift(''));

const setDrift = (query: string) => fetchThrough(lab, `${lab.url}/_lab/drift?${query}`, { method: 'POST' });
const metadata = async () => json(await fetchThrough(lab, 'https://www.dailymotion.com/player/metadata/video/xlab30'));

describe('a drift', () => {
  test('renames members of responses until it is turned off', async () => {
    const before = await metadata();
    await setDrift('p5=qualities');
    const drifted = await metadata();
    expect(drifted).not.toHaveProperty('qualities');
    expect(Object.keys(drifted)).toHaveLength(Object.keys(before).length);
    expect(drifted).toHaveProperty('qualitiesNext');
    await setDrift('');
    expect(await metadata()).toHaveProperty('qualities');
  });

  test('does not change other platforms', async () => {
    await setDrift('p1=entries&p4=files');
    expect(await metadata()).toHaveProperty('qualities');
  });

  test('is listed while it is on', async () => {
    await setDrift('p1=entries&p5=qualities');
    const list = await fetchThrough(lab, `${lab.url}/_lab/drift`);
    expect(json(list)).toEqual({ p1: 'entries', p5: 'qualities' });
  });

  test.each(['p9=entries', 'p5=entries', 'p1=constructor'])('%s is rejected', async (query) => {
    const response = await setDrift(query);
    expect([response.status, response.body.toString()]).toEqual([400, expect.stringContaining('no drift')]);
  });
});
