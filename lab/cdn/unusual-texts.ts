interface UnusualText {
  readonly about: string;
  readonly type: string;
  readonly lines: readonly string[];
}

/** Texts below `/unusual/`, by name. */
export const unusualTexts: Readonly<Record<string, UnusualText>> = {
  'segments.vtt': {
    about: 'WebVTT of three HLS segments, each of which counts from zero and has another X-TIMESTAMP-MAP',
    type: 'text/vtt',
    lines: [
      ...segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01.000 --> 00:02.000', 'First'),
      ...segment('LOCAL:00:00:10.000,MPEGTS:1260000', '00:11.500 --> 00:12.500', 'Second'),
      ...segment('MPEGTS:1620000,LOCAL:00:00:00.000', '00:00.250 --> 00:01.250', 'Third'),
    ],
  },
};

/** Returns the lines of a segment with a cue. The clock of its map has 90,000 ticks per second (RFC 8216 §3.5). */
function segment(map: string, times: string, words: string): string[] {
  return ['WEBVTT', `X-TIMESTAMP-MAP=${map}`, '', times, words, ''];
}
