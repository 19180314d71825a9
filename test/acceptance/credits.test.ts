import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { temporaryFolder } from '../support/processes.ts';

const CREDITS = 6;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;
let id: string;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await startServiceWithAdmin(inject('labUrl'), folder.path, {
    PRO: { credits: CREDITS, requestsPerSecond: 1_000 },
  });
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
});
beforeEach(async () => {
  ({ id, key } = await world.create('PRO'));
});

/**
 * Sends a request, and returns its status, its last note or error, and the remaining credits according to its headers.
 */
async function ask(path: string) {
  const { status, headers, body } = await extract<Result>(`${world.service.url}${path}`, key);
  const { error, notes = [] } = body;
  return { status, code: error?.code, text: error?.message ?? notes.at(-1), left: headers.get('ratelimit-remaining') };
}
const oneCredit = () => ask('/p5/v3/video/details?videoId=xlab2');
const twoCredits = () => ask('/p1/v3/video/details?videoId=lab-plain30&urlAccess=proxied');
const profile = (username: string) => ask(`/p2/v3/user/profile/details?username=${username}`);
const fiveCredits = () => profile('thelab');
const failedProfile = () => profile('lab.gone');

/** Uses up some of the credits. */
async function use(credits: number): Promise<void> {
  for (let used = 0; used < credits; used += 1) expect((await oneCredit()).status).toBe(200);
}

describe('a request that costs more than the remaining credits', () => {
  test.each([
    [2, fiveCredits, 4, '4 are left'],
    [5, twoCredits, 1, '1 is left'],
  ])('is refused after %i credits and reports the true remainder, and a cheaper one then succeeds', async (...row) => {
    const [used, dear, left, words] = row;
    await use(used);
    const refusal = await dear();
    const next = await oneCredit();
    expect(refusal).toMatchObject({ status: 429, code: 'quota_exceeded', left: `${left}` });
    expect(refusal.text).toContain(words);
    expect(next).toMatchObject({ status: 200, left: `${left - 1}` });
    expect(await world.credits(id)).toBe(used + 1);
  });

  test('is not counted as used', async () => {
    await use(2);
    expect((await fiveCredits()).status).toBe(429);
    expect(await world.credits(id)).toBe(2);
  });

  test('never uses up the credit that another request needs, even when sent many times concurrently', async () => {
    await use(5);
    const dear = Array.from({ length: 30 }, twoCredits);
    const cheap = oneCredit();
    const more = Array.from({ length: 30 }, twoCredits);
    expect(await cheap).toMatchObject({ status: 200, left: '0' });
    for (const refusal of await Promise.all([...dear, ...more])) {
      expect(refusal).toMatchObject({ status: 429, code: 'quota_exceeded' });
      expect(refusal.text).toMatch(refusal.left === '1' ? / 1 is left, / : / 0 are left, /);
    }
    expect(await world.credits(id)).toBe(CREDITS);
  });
});

describe('unused reserved credits', () => {
  test('of failures, lower prices and cached responses are available to the next request', async () => {
    // Each request reserves five of the six credits.
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await failedProfile()).toMatchObject({ code: 'not_found', text: expect.any(String), left: '6' });
    }
    expect(await fiveCredits()).toMatchObject({ status: 200, left: '1' });
    expect(await fiveCredits()).toMatchObject({ status: 429, code: 'quota_exceeded', left: '1' });
    expect(await oneCredit()).toMatchObject({ status: 200, left: '0' });
  });

  test('are returned when the real price is below the highest one', async () => {
    await use(4);
    // The request can cost two credits but costs one, because the video has no such format.
    const lower = await ask('/p1/v3/video/details?videoId=lab-plain30&renderableFormats=1080p60%20HDR');
    expect(lower).toMatchObject({ status: 200, text: 'This request cost 1 credit.', left: '1' });
    expect(await oneCredit()).toMatchObject({ status: 200, left: '0' });
  });
});
