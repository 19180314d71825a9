/** The audio formats that the page offers, in the order in which it lists them. */
export const audioFormats = ['mp3', 'm4a', 'opus', 'flac', 'wav', 'original'] as const;

/** A format of an audio file; `original` keeps the platform's own. */
export type AudioFormat = (typeof audioFormats)[number];

/** What is made of a content item. */
export interface WantedFile {
  readonly kind: 'video' | 'audio';
  /** Label of the quality of a video, or format of an audio file. */
  readonly label: string;
  /** Further parameters of the extraction API, which shape the file. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Whether a label is one of the audio formats. */
export function isAudioFormat(label: string): label is AudioFormat {
  return audioFormats.some((format) => format === label);
}
