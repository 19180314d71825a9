import { title, type UnusualPlaylist, variant } from './unusual-lines.ts';

/** Attributes of two variants, by what they differ in: the better one, and the other. */
const pairs = {
  size: ['BANDWIDTH=600000,RESOLUTION=640x360', 'BANDWIDTH=900000,RESOLUTION=320x180'],
  rate: [
    'BANDWIDTH=600000,RESOLUTION=640x360,FRAME-RATE=59.940',
    'BANDWIDTH=900000,RESOLUTION=640x360,FRAME-RATE=29.970',
  ],
  codec: [
    'BANDWIDTH=600000,RESOLUTION=640x360,CODECS="avc1.64001f,mp4a.40.2"',
    'BANDWIDTH=900000,RESOLUTION=640x360,CODECS="vp08.00.31.08,mp4a.40.2"',
  ],
  bandwidth: ['BANDWIDTH=900000,RESOLUTION=640x360', 'BANDWIDTH=600000,RESOLUTION=640x360'],
  range: [
    'BANDWIDTH=600000,RESOLUTION=640x360,VIDEO-RANGE=SDR',
    'BANDWIDTH=900000,RESOLUTION=1920x1080,VIDEO-RANGE=PQ',
  ],
  hdr: ['BANDWIDTH=600000,RESOLUTION=640x360,VIDEO-RANGE=PQ', 'BANDWIDTH=900000,RESOLUTION=320x180,VIDEO-RANGE=HLG'],
  picture: ['BANDWIDTH=600000,RESOLUTION=640x360', 'BANDWIDTH=900000,CODECS="mp4a.40.2"'],
} as const;

const attributes = 'BANDWIDTH=600000,RESOLUTION=640x360';
const [better, other] = ['360', '180'].map((track) => `/hls/${title.name}/${track}/index.m3u8`) as [string, string];

/** Master playlists with two variants. The video of the better one has 360 lines, the other one has 180. */
export const rankedPlaylists: Readonly<Record<string, UnusualPlaylist>> = {
  ...Object.fromEntries(
    Object.entries(pairs).map(([name, [first, second]]) => {
      const lines = [...variant(second, other), ...variant(first, better)];
      return [`ranked-by-${name}.m3u8`, { about: `its second variant is better by its ${name}`, lines }];
    }),
  ),
  'ranked-equal.m3u8': {
    about: 'its variants have the same attributes',
    lines: [...variant(attributes, better), ...variant(attributes, other)],
  },
};
