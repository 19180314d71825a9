import { expect, test } from 'vitest';
import { fetchThrough, startTestLab } from '../testing.ts';

const open = (lab: { readonly url: string }, query: string, method = 'POST') =>
  fetch(`${lab.url}/_lab/gate${query}`, { method });

test('a gate holds back the responses to the links of its token until it is opened', async () => {
  const lab = await startTestLab();
  try {
    const link = (token: string) => `https://cdn.lab.example/found/nosleep.mp4?gate=1&token=${token}`;
    let arrived = 0;
    const count = () => {
      arrived += 1;
    };
    const held = ['a', 'a', 'b'].map((token) => fetchThrough(lab, link(token)).then(count));
    // A request that came later has been answered.
    await fetchThrough(lab, 'https://cdn.lab.example/found/nosleep.mp4');
    expect(arrived).toBe(0);
    expect((await open(lab, '?token=a')).status).toBe(200);
    await Promise.all(held.slice(0, 2));
    expect(arrived).toBe(2);
    // It stays open, and may be opened before the first request.
    await fetchThrough(lab, link('a'));
    await open(lab, '?token=b');
    await Promise.all(held);
    await open(lab, '?token=c');
    await fetchThrough(lab, link('c'));
  } finally {
    await lab.close();
  }
});

test('a gate slows the responses of its token together until it is opened', async () => {
  const lab = await startTestLab();
  try {
    const free = 40_000;
    const link = `https://cdn.lab.example/media/amber-120/sound.mp3?slowAfter=${free}&token=a`;
    const sent = async () => {
      const response = await fetch(`${lab.url}/_lab/requests?token=a`);
      const { requests } = (await response.json()) as { requests: { bytesSent: number }[] };
      return requests.reduce((sum, { bytesSent }) => sum + bytesSent, 0);
    };
    const slow = [fetchThrough(lab, link), fetchThrough(lab, link)];
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(free);
    const { length } = (await fetchThrough(lab, 'https://cdn.lab.example/media/amber-120/sound.mp3')).body;
    // At 8 kB per second, the rest would take minutes.
    expect(await sent()).toBeLessThan(length);
    await open(lab, '?token=a');
    for (const { body } of await Promise.all(slow)) expect(body).toHaveLength(length);
  } finally {
    await lab.close();
  }
});

test('links without a gate take no place of one that is held', async () => {
  const lab = await startTestLab();
  try {
    const link = (token: string, query = '') => `https://cdn.lab.example/found/nosleep.mp4?token=${token}${query}`;
    const held = fetchThrough(lab, link('held', '&gate=1'));
    await expect.poll(async () => (await fetch(`${lab.url}/_lab/requests?token=held`)).text()).toContain('nosleep');
    for (let other = 0; other < 1_001; other += 1) await fetchThrough(lab, link(`other-${other}`));
    await open(lab, '?token=held');
    expect((await held).status).toBe(200);
  } finally {
    await lab.close();
  }
});

test('only a POST with a token opens a gate', async () => {
  const lab = await startTestLab();
  try {
    expect((await open(lab, '?token=a', 'GET')).status).toBe(400);
    expect((await open(lab, '')).status).toBe(400);
  } finally {
    await lab.close();
  }
});
