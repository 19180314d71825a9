/**
 * Containers that a result can be written into. `audioOnly` ones hold no video, and `oneStream` ones hold one audio
 * stream and nothing beside it but a cover picture.
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
  // RFC 7845 §9: Opus in Ogg has no media type of its own; audio/opus is for RTP.
  opus: { audioOnly: true, oneStream: true, mimeType: 'audio/ogg' },
  wav: { audioOnly: true, oneStream: true, mimeType: 'audio/wav' },
  flac: { audioOnly: true, oneStream: true, mimeType: 'audio/flac' },
  aac: { audioOnly: true, oneStream: true, mimeType: 'audio/aac' },
} as const;

/** The extension of a container that a result can be written into. */
export type OutputContainer = keyof typeof outputContainers;
