/**
 * Supported output containers. Those with `audioOnly` cannot contain video. Those with `oneStream` contain a single
 * audio stream and, apart from that, only cover art.
 */
export const outputContainers = {
  mp4: { audioOnly: false, oneStream: false, mimeType: 'video/mp4' },
  mov: { audioOnly: false, oneStream: false, mimeType: 'video/quicktime' },
  mkv: { audioOnly: false, oneStream: false, mimeType: 'video/x-matroska' },
  webm: { audioOnly: false, oneStream: false, mimeType: 'video/webm' },
  ts: { audioOnly: false, oneStream: false, mimeType: 'video/mp2t' },
  m4a: { audioOnly: true, oneStream: false, mimeType: 'audio/mp4' },
  mp3: { audioOnly: true, oneStream: true, mimeType: 'audio/mpeg' },
  ogg: { audioOnly: true, oneStream: false, mimeType: 'audio/ogg' },
  // RFC 7845 §9: Opus in Ogg has no separate media type; audio/opus is for RTP.
  opus: { audioOnly: true, oneStream: true, mimeType: 'audio/ogg' },
  wav: { audioOnly: true, oneStream: true, mimeType: 'audio/wav' },
  flac: { audioOnly: true, oneStream: true, mimeType: 'audio/flac' },
  aac: { audioOnly: true, oneStream: true, mimeType: 'audio/aac' },
} as const;

/** The file extension of a supported output container. */
export type OutputContainer = keyof typeof outputContainers;
