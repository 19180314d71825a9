import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A probe as in the files of `millrace probe --probes`. */
interface LabProbe {
  readonly name: string;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly expects: readonly string[];
  readonly pages?: string;
  readonly media?: boolean;
}

const channelId = 'UC85zAYFztyDQQgidr86JyUQ';
const additional = 'metadata.additionalData';

/** Probes of all platforms about items of the lab. Their names begin with `lab`, unlike those of the real items. */
export const labProbes: Readonly<Record<string, readonly LabProbe[]>> = {
  p1: [
    {
      name: 'lab-video',
      endpoint: '/video/details',
      parameters: { videoId: 'lab-plain30' },
      expects: ['metadata.title', 'contents.0.videos', 'contents.0.audios'],
      media: true,
    },
    {
      name: 'lab-search',
      endpoint: '/search/video',
      parameters: { query: 'bridges' },
      expects: [`${additional}.searchResults.results`],
      pages: `${additional}.searchResults`,
    },
    {
      name: 'lab-channel-videos',
      endpoint: '/channel/videos',
      parameters: { channelId, contentType: 'videos' },
      expects: ['metadata.channel.videos.contents.0.title'],
      pages: 'metadata.channel.videos',
    },
    {
      name: 'lab-comments',
      endpoint: '/video/comments',
      parameters: { videoId: 'lab-plain30' },
      expects: ['metadata.comments.threads'],
    },
  ],
  p2: [
    {
      name: 'lab-reel',
      endpoint: '/media/post/details',
      parameters: { shortcode: 'lab-reel-30' },
      expects: ['metadata.title', 'contents.0.videos'],
      media: true,
    },
    {
      name: 'lab-profile',
      endpoint: '/user/profile/details',
      parameters: { username: 'thelab' },
      expects: ['metadata.author.name', 'metadata.author.followerCount'],
    },
  ],
  p3: [
    {
      name: 'lab-reel',
      endpoint: '/post/details',
      parameters: { url: 'https://www.facebook.com/reel/770000000000001' },
      expects: ['metadata.title', 'metadata.author.name', 'contents.0.videos', 'contents.0.audios'],
      media: true,
    },
    {
      name: 'lab-profile',
      endpoint: '/profile/details',
      parameters: { url: 'https://www.facebook.com/thelab' },
      expects: ['metadata.author.name', 'metadata.author.followerCount'],
    },
  ],
  p4: [
    {
      name: 'lab-post',
      endpoint: '/post/details',
      parameters: { url: 'https://www.tiktok.com/@thelab/video/7559142440960000001' },
      expects: ['metadata.title', 'contents.0.videos'],
      media: true,
    },
    {
      name: 'lab-user',
      endpoint: '/user/details',
      parameters: { url: 'https://www.tiktok.com/@thelab' },
      expects: ['metadata.author.name', 'metadata.author.followerCount'],
    },
  ],
  p5: [
    {
      name: 'lab-video',
      endpoint: '/video/details',
      parameters: { videoId: 'xlab30' },
      expects: ['metadata.title', 'contents.0.videos'],
      media: true,
    },
  ],
  p6: [
    {
      name: 'lab-pin',
      endpoint: '/pin/details',
      parameters: { pinId: '600000000000000101' },
      expects: ['metadata.title', 'metadata.author.id', 'contents.0.images'],
      media: true,
    },
  ],
};

/** Names of all {@link labProbes}, for `--only`. */
export const labProbeNames = [
  ...new Set(Object.values(labProbes).flatMap((list) => list.map(({ name }) => name))),
].join();

/** Writes probes to a file of `millrace probe --probes`, and returns its path. */
export async function writeProbes(folder: string, probes: unknown, name = 'probes.json'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(probes));
  return path;
}
