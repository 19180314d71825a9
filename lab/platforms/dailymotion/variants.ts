/** Quality of a video. The site names it by a number, which is not always the video's height. */
export interface VideoVariant {
  readonly name: string;
  /** The lab's rendition of the variant. */
  readonly rendition: string;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  /** Name of the variant in file names. */
  readonly suffix: string;
  /** Audio codec; the site declares HE-AAC for low variants. */
  readonly audio: string;
  readonly video: string;
}

const size = (rendition: string, width: number, height: number, rate = 25) => ({ rendition, width, height, rate });

const table = {
  '240': { ...size('180', 320, 180), suffix: 'h264_aac_ld', audio: 'mp4a.40.5', video: 'avc1.42000c' },
  '380': { ...size('288', 512, 288), suffix: 'h264_aac', audio: 'mp4a.40.5', video: 'avc1.4d0016' },
  '480': { ...size('480', 848, 480), suffix: 'h264_aac_hq', audio: 'mp4a.40.2', video: 'avc1.64001f' },
  '720': { ...size('720', 1280, 720), suffix: 'h264_aac_hd', audio: 'mp4a.40.2', video: 'avc1.64001f' },
  '720@60': { ...size('720p60', 1280, 720, 60), suffix: 'h264_aac_hd60', audio: 'mp4a.40.2', video: 'avc1.640020' },
  '1080': { ...size('1080', 1920, 1080), suffix: 'h264_aac_fhd', audio: 'mp4a.40.2', video: 'avc1.640028' },
} as const;

export type VariantName = keyof typeof table;

/** Returns the variant with the given name. */
export function variant(name: VariantName): VideoVariant {
  return { name, ...table[name] };
}

/** Returns the variant with the given suffix in its file names. */
export function variantBySuffix(suffix: string): VideoVariant | undefined {
  return names.map(variant).find((candidate) => candidate.suffix === suffix);
}

const names = Object.keys(table) as VariantName[];
