import type { MediaItem } from '#client/index.ts';
import { messages } from '../language/language.ts';

/** What a quality is called, and what makes it special. */
export interface QualityName {
  /** Such as `1080p` or `HD (original)`. */
  readonly name: string;
  /** Frames per second, if the motion is smoother than usual. */
  readonly fps?: number;
  readonly hdr: boolean;
}

/** Frames per second from which motion is visibly smoother. */
const SMOOTH_FPS = 48;

/** Names that platforms use for the files that they received or made themselves. */
const fileNames: Readonly<Record<string, 'hd' | 'sd' | 'original' | 'video' | 'audio' | 'music' | 'soundtrack'>> = {
  native_hd: 'hd',
  native_sd: 'sd',
  native_creator: 'original',
  video: 'video',
  audio: 'audio',
  'hls-audio': 'audio',
  music: 'music',
  soundtrack: 'soundtrack',
};

/** Matches names of forms and formats that only programs use, such as `hlsv3_mobile` or `mp3`. */
const machineName = /^[a-z0-9_-]+$/;

/**
 * Names a quality for people. Labels of platforms contain the protocol (`hls-720`), the frame rate (`1080p60`) or the
 * codec and the bitrate (`AAC 131 kbps`).
 */
export function qualityName({ label, metadata }: Pick<MediaItem, 'label' | 'metadata'>): QualityName {
  const plain = label.replace(/^(?:hls|http)-(?=\d)/, '');
  const [, lines, labelFps] = /^(\d{2,4})p?(?:[@]?(\d{2,3}))?(?=$|\s)/.exec(plain) ?? [];
  const fps = Number(labelFps ?? metadata.fps ?? 0);
  return {
    name: lines === undefined ? otherName({ label, metadata }) : `${lines}p`,
    ...(fps >= SMOOTH_FPS ? { fps: Math.round(fps) } : {}),
    hdr: /\bHDR\b/.test(label),
  };
}

function otherName({ label, metadata }: Pick<MediaItem, 'label' | 'metadata'>): string {
  const { quality } = messages();
  const known = Object.hasOwn(fileNames, label) ? fileNames[label] : undefined;
  if (known !== undefined) return quality[known];
  const [whole, name = '', rate] = /^([^\d,]{0,30}?) ?(\d{1,4}) ?kbps/.exec(label) ?? [];
  if (whole !== undefined) {
    const text = quality.bitrate(name === '' || name === 'audio' ? quality.audio : name, Number(rate));
    // The rest tells the language of the track.
    return text + label.slice(whole.length);
  }
  if (!machineName.test(label)) return label;
  const { width, height, mime_type: type } = metadata;
  const lines = Math.min(width, height);
  if (lines > 0) return `${lines}p`;
  return type.startsWith('audio/') || type === '' ? label.toUpperCase() : quality.video;
}
