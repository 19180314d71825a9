/** Duration of each media file in seconds. */
export const mediaSeconds = 4;

/** Media files of the usual kinds. */
export const usualNames = [
  ...(['av.mp4', 'v.mp4', 'moov-last.mp4', 'fragmented.mp4', 'a.m4a', 'av.mov', 'av.mkv', 'av.ts'] as const),
  ...(['av.webm', 'a.webm', 'a.mp3', 'a.ogg', 'a.opus', 'a.wav', 'a.flac', 'a.aac', 'wrap.ts', 'far.ts'] as const),
  ...([
    'gop.mp4',
    'open-gop.mp4',
    'negative-offsets.mp4',
    'reordered-fragments.mp4',
    'long-gops.mp4',
    'dolby.mp4',
    'hevc.mp4',
    'mp2.ts',
    'timecode.mov',
    'late.mp4',
    'late.mkv',
    'late-audio.mp4',
  ] as const),
  ...(['long-audio.mp4', 'rich.mp4', 'rich.mkv', 'rich.webm', 'rich.mp3', 'late-chapters.mkv', 'data.ts'] as const),
  ...([
    'data.mp4',
    'v.ts',
    'a.ts',
    'short.ts',
    'small.ts',
    'rough.ts',
    'rate.ts',
    'high-a.aac',
    'mono-a.aac',
    'later-high-a.ts',
    'turned.mp4',
  ] as const),
  ...(['second-later-a.ts', 'second-later-v.ts', 'vorbis.mkv', 'low-vorbis.mkv', 'flac.mkv'] as const),
  ...(['low-flac.mkv', 'mpeg4.mkv', 'low-mpeg4.mkv', 'fragmented-v.mp4', 'fragmented-a.mp4', 'later-v.ts'] as const),
  ...([
    'eight-a.ts',
    'forty-v.ts',
    'late-a.ts',
    'late-8-a.ts',
    'late-a.m4a',
    'long-a.ts',
    'second.ts',
    'second-v.ts',
    'second-a.ts',
    'second.mp4',
    'second-v.mp4',
  ] as const),
  ...(['second-a.mp4', 'streams.mkv', 'streams.mp4', 'streams.mov', 'streams.ts', 'streams.webm'] as const),
  ...(['empty-vobsub.mkv', 'drawings.mkv', 'rolling.mkv', 'flags.mkv', 'hdr.mkv', 'transparent.webm'] as const),
  ...(['surround.wav', 'many-fonts.mkv', 'too-many-fonts.mkv', 'early-cues.mkv', 'open-cues.mkv'] as const),
  ...(['spherical.mp4', 'encrypted.mp4'] as const),
];

/** Files with rare but valid timing. */
export const unusualNames = [
  ...(['slides.mp4', 'slides.mkv', 'slides.ts', 'reordered-slides.ts', 'silent-slides.mkv'] as const),
  ...(['gap.mp4', 'gap.mkv', 'gap.ts', 'lost-frame.mp4', 'in-order.mkv'] as const),
  ...(['video-gap.mkv', 'long-gap.ts', 'varying.mp4', 'varying.mkv', 'slow.mkv', 'slow.ts'] as const),
  ...(['one-frame.mp4', 'one-frame.mkv', 'one-frame.ts'] as const),
  ...(['one-packet.mp3', 'one-packet.m4a', 'short-audio.mkv'] as const),
  ...(['very-late-audio.mkv', 'very-late-audio.ts', 'low-rate.m4a', 'av.avi', 'av.flv', 'a.ac3'] as const),
];

/** Files whose images or loudness are to change when they are encoded. */
export const encodingNames = [
  ...(['anamorphic.mkv', 'odd.mkv', 'fast.mp4', 'large.mp4', 'quiet.wav', 'quiet.opus', 'quiet.m4a'] as const),
  ...(['quiet.mp3', 'quiet.flac', 'quiet.mkv', 'quiet.ts', 'peaks.wav', 'silence.wav', 'mono.wav'] as const),
  ...(['louder.mkv', 'noise.mkv', 'tone.mkv', 'mono-tone.wav', 'silent.mkv', 'turned.mkv'] as const),
];

/** One of {@link encodingNames}. */
export type EncodingName = (typeof encodingNames)[number];

/** Files as browsers record them, with a pause of five seconds after two seconds. */
export const recordingNames = ['recorded.webm', 'recorded.mp4'] as const;

/** Audio whose frames state another sample rate than those of the usual and unusual media, 44.1 kHz. */
export const rateNames = ['high-a.mp3', 'high-a.ac3', 'a.eac3', 'high-a.eac3'] as const;

/** One of {@link rateNames}. */
export type RateName = (typeof rateNames)[number];

/** One of {@link recordingNames}. */
export type RecordingName = (typeof recordingNames)[number];

/** Files of ten seconds, in whose middle tests replace bytes. */
export const longNames = [
  ...(['long.aac', 'long.mp3', 'long.ac3', 'long.eac3', 'long.flac', 'long.opus', 'long.ogg'] as const),
  ...(['long.webm', 'long.mkv', 'long.ts', 'long.flv'] as const),
] as const;

/** One of {@link longNames}. */
export type LongName = (typeof longNames)[number];

/** Images of a slideshow, which are not among the usual media. */
export const imageNames = [
  ...(['wide.jpg', 'huge.jpg', 'tall.png', 'odd.png', 'wide.webp', 'moving.webp', 'moving.gif', 'wide.avif'] as const),
];

/** One of {@link imageNames}. */
export type ImageName = (typeof imageNames)[number];

/** One of {@link unusualNames}. */
export type UnusualName = (typeof unusualNames)[number];

/** Media files that are available to tests. */
export type MediaName =
  | (typeof usualNames)[number]
  | UnusualName
  | RateName
  | RecordingName
  | EncodingName
  | ImageName
  | LongName;
