import { expect, inject, test } from 'vitest';
import { extract } from '../support/http-client.ts';

test('a visitor that is taken for a bot is replaced by a new one, and its caller sees nothing of it', async () => {
  // The site turns the first visitor down once in its life, so no other test may ask for this video.
  const url = `${inject('serviceUrl')}/p1/v3/video/details?videoId=lab-botonce`;
  const { body } = await extract<{ error: unknown; contents: { videos: unknown[] }[] }>(url);
  expect(body.error).toBeNull();
  expect(body.contents[0]?.videos).toHaveLength(5);
});
