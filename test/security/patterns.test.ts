import { describe, expect, inject, test } from 'vitest';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');

/** Returns a URL with a host of the given number of dots. */
const dotted = (dots: number) => `http://a${'.'.repeat(dots)}b.example/`;

/** Numbers of dots that fit into the link of an input, and into the head of a request or a response, of 16 kB each. */
const DOTS = { input: 16_000, head: 14_000 };

/**
 * Longest time for a health check of the service, in milliseconds. A check takes a few milliseconds, and on a machine
 * with much other work several seconds.
 */
const LONGEST_SILENCE_MS = 60_000;

/** Returns the error of a job, and checks the health of the service repeatedly while it runs. */
async function errorWhileHealthy(url: string, ext: string): Promise<string | null> {
  let ended = false;
  const job = run(service, describeJob('convert_format', [{ url, ext }], 'mp4')).finally(() => {
    ended = true;
  });
  do {
    const { status } = await fetch(`${service}/health/live`, { signal: AbortSignal.timeout(LONGEST_SILENCE_MS) });
    expect(status).toBe(200);
  } while (!ended);
  const { status, error } = await job;
  expect(status).toBe('failed');
  return error;
}

describe('a host of thousands of dots is refused, and blocks no other request', () => {
  test('in the link of an input', async () => {
    expect(await errorWhileHealthy(dotted(DOTS.input), 'mp4')).toMatch(/host name has 16010 characters/);
  });

  test('behind a redirect', async () => {
    const { url } = labFile('/media/amber-2/movie-360.mp4', { redirectTo: dotted(DOTS.head) });
    expect(await errorWhileHealthy(url, 'mp4')).toMatch(/host name has 14010 characters/);
  });

  test.each(['segment', 'key', 'init', 'variant', 'audio'])('in the %s of a playlist', async (as) => {
    const { url } = labFile('/hostile/internal.m3u8', { as, target: dotted(DOTS.head) });
    expect(await errorWhileHealthy(url, 'm3u8')).toMatch(/host name has 14010 characters/);
  });
});
