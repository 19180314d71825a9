// From a key to a verified file, with Node 20 or later.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

const { MILLRACE_URL = 'http://127.0.0.1:8080', MILLRACE_KEY = 'demo-key' } = process.env;

async function get(url, headers = {}) {
  // A server to which the service redirects must not receive the key.
  const redirect = 'X-Marketplace-Key' in headers ? 'error' : 'follow';
  const response = await fetch(url, { headers, redirect });
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

// Request a video with a render config for one quality.
const url = `${MILLRACE_URL}/p1/v3/video/details?videoId=lab-plain30&renderableFormats=720p`;
const headers = { 'X-Marketplace-Key': MILLRACE_KEY, 'X-Marketplace-Host': 'localhost' };
const details = JSON.parse(await get(url, headers));
const item = details.contents[0]?.renderableVideos[0];
if (item?.renderConfig === undefined) throw new Error(details.error?.message ?? item.error);

// Start the render, and read its status events until it ends.
const { sseStatusUrl } = JSON.parse(await get(item.renderConfig.executionUrl));
const events = (await get(sseStatusUrl)).toString().trim().split('\n');
const { status, error, output } = JSON.parse(events.at(-1).slice('data: '.length));
if (status !== 'done') throw new Error(`The job is ${status}: ${error}`);

// Download the file, and compare its size and SHA-256 with those of the event.
const file = await get(output.url);
const sha256 = createHash('sha256').update(file).digest('hex');
const isVerified = file.length === output.size && sha256 === output.sha256;
if (!isVerified) throw new Error('The file is damaged.');
await writeFile('video.mp4', file);
console.log('video.mp4 has the size and the SHA-256 that the service states.');
