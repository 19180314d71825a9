import { expect, inject, test } from 'vitest';
import { extract } from '../support/http-client.ts';

test('a visitor that the site takes for a bot is replaced by a new one, and the caller does not notice', async () => {
  // The site rejects the first visitor only once, so no other test may request this video.
  const url = `${inject('serviceUrl')}/p1/v3/video/details?videoId=lab-botonce`;
  const { body } = await extract<{ error: unknown; contents: { videos: unknown[] }[] }>(url);
  expect(body.error).toBeNull();
  expect(body.contents[0]?.videos).toHaveLength(5);
});
