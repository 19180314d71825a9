import { expect, test } from 'vitest';
import { fetchThrough, startTestLab } from './testing.ts';

test("the option latency delays the simulated internet, but not the lab's own pages", async () => {
  const lab = await startTestLab({ latency: 3_000 });
  try {
    const [site, own] = [
      await fetchThrough(lab, 'https://nowhere.example/'),
      await fetchThrough(lab, `${lab.url}/_lab/requests`),
    ];
    expect([site.status, own.status]).toEqual([502, 200]);
    expect(site.times.head).toBeGreaterThanOrEqual(2_999);
    expect(own.times.head).toBeLessThan(2_999);
  } finally {
    await lab.close();
  }
});
