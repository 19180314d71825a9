/** A quality of a video, by the site's own number, which is not always its height. */
export interface VideoVariant {
  readonly name: string;
  /** The lab's rendition behind it. */
  readonly rendition: string;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  /** What stands for it in file names. */
  readonly suffix: string;
  /** Its sound is declared as HE-AAC on low variants. */
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

/** The variant of a name. */
export function variant(name: VariantName): VideoVariant {
  return { name, ...table[name] };
}

/** The variant that a file name's suffix stands for. */
export function variantBySuffix(suffix: string): VideoVariant | undefined {
  return names.map(variant).find((candidate) => candidate.suffix === suffix);
}

const names = Object.keys(table) as VariantName[];
