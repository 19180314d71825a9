import { type ContainerFormat, containerFormats } from '../formats/container-formats.ts';
import type { Recipe } from './make-file.ts';
import type { LongName } from './media-names.ts';

const { mp4, m4a, mkv, webm, mp3, ts, ogg, opus, flac, aac } = containerFormats;

/** Long enough that a second in the middle can be damaged, with few and small frames. */
const long = { audioSeconds: 10, videoSeconds: 10, rate: 10, size: [64, 36], sampleRate: 48_000 } as const;
const avc = { ...long, video: mp4.encoders.video, audio: mp4.encoders.audio };
/** Clusters and pages of half a second: readers continue at the next one. */
const clusters = { cluster_time_limit: '500' };
const pages = { page_duration: '200000' };

function sound(container: ContainerFormat): Recipe {
  return { ...long, container, audio: container.encoders.audio };
}

function dolby(muxer: 'ac3' | 'eac3'): Recipe {
  const container = { ...mkv, title: muxer, muxer };
  return { ...long, container, audio: [{ name: muxer, options: {}, maxChannels: 2 }] };
}

/** Files of ten seconds. */
export const longRecipes: Readonly<Record<LongName, Recipe>> = {
  'long.aac': { ...sound(aac), audio: m4a.encoders.audio },
  'long.mp3': { ...sound(mp3), container: { ...mp3, muxerOptions: { write_xing: '0' } } },
  'long.ac3': dolby('ac3'),
  'long.eac3': dolby('eac3'),
  'long.flac': sound(flac),
  'long.opus': sound({ ...opus, muxerOptions: pages }),
  'long.ogg': sound({ ...ogg, muxerOptions: pages }),
  'long.webm': {
    ...long,
    container: { ...webm, muxerOptions: clusters },
    video: webm.encoders.video,
    audio: webm.encoders.audio,
  },
  'long.mkv': { ...avc, container: { ...mkv, muxerOptions: clusters } },
  'long.ts': { ...avc, container: ts },
  'long.flv': { ...avc, container: { ...mkv, title: 'flv', muxer: 'flv' } },
};
