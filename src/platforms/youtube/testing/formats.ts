/** A link as the CDN's are. */
export const formatUrl = (tags = '') => {
  const xtags = tags === '' ? '' : `&xtags=${encodeURIComponent(tags)}`;
  return `https://rr1.googlevideo.com/videoplayback?expire=1780890130&itag=1${xtags}`;
};

/** A format with pictures alone, as the site writes it; `rest` overrides. */
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

/** A format with sound alone. */
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

/** The members that tell one track of sound from others. */
export const audioTrack = (id: string, displayName: string, audioIsDefault = false) => ({
  audioTrack: { id, displayName, audioIsDefault },
});
