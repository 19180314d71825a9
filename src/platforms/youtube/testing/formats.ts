/** Returns a link in the CDN's format. */
export const formatUrl = (tags = '') => {
  const xtags = tags === '' ? '' : `&xtags=${encodeURIComponent(tags)}`;
  return `https://rr1.googlevideo.com/videoplayback?expire=1780890130&itag=1${xtags}`;
};

/** Returns a video-only format in the site's form; the members of `rest` override it. */
export const videoFormat = (itag: number, label: string, codec: string, rest: object = {}) => ({
  itag,
  url: formatUrl(),
  mimeType: `video/${/vp/.test(codec) ? 'webm' : 'mp4'}; codecs="${codec}"`,
  qualityLabel: label,
  width: Number.parseInt(label, 10) * 2,
  height: Number.parseInt(label, 10),
  bitrate: 2_000_000,
  contentLength: '1000000',
  approxDurationMs: '10000',
  ...rest,
});

/** Returns an audio-only format. */
export const audioFormat = (itag: number, codec: string, rest: object = {}) => ({
  itag,
  url: formatUrl(),
  mimeType: `audio/${codec === 'opus' ? 'webm' : 'mp4'}; codecs="${codec}"`,
  averageBitrate: 129_600,
  bitrate: 131_000,
  contentLength: '500000',
  audioChannels: 2,
  ...rest,
});

/** Returns the members that distinguish an audio track from others. */
export const audioTrack = (id: string, displayName: string, audioIsDefault = false) => ({
  audioTrack: { id, displayName, audioIsDefault },
});
