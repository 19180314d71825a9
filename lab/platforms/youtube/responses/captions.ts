import { type Handler, sendText } from '../../../http/exchange.ts';
import { type Node, runs } from '../shapes/basics.ts';
import { findVideo, type Video } from '../world/videos.ts';
import { linkSeconds } from './links.ts';

interface CaptionTrack {
  readonly language: string;
  readonly name: string;
  /** Automatically generated. */
  readonly asr?: true;
}

const commonTracks: readonly CaptionTrack[] = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'German' },
  { language: 'en', name: 'English (auto-generated)', asr: true },
];
/** Tracks that only some videos have. */
const moreTracks: readonly CaptionTrack[] = [
  { language: 'ar', name: 'Arabic' },
  { language: 'es', name: 'Spanish' },
  { language: 'fr', name: 'French' },
  { language: 'ja', name: 'Japanese' },
  { language: 'pt-BR', name: 'Portuguese (Brazil)' },
];
const translations = { de: 'German', es: 'Spanish', fr: 'French', ja: 'Japanese' };
/** Duration of a line in milliseconds. */
const lineMs = 2000;

/** Returns the player's caption data; empty if there are no captions. */
export function captionsOf(video: Video, hl: string): Node {
  if (video.captions === 'none' || video.live === 'on_air') return {};
  const tracks = tracksOf(video);
  const captionTracks = tracks.map((track) => ({
    baseUrl: addressOf(video, track, hl),
    name: runs(track.name),
    vssId: `${track.asr ? 'a' : ''}.${track.language}`,
    languageCode: track.language,
    ...(track.asr ? { kind: 'asr' } : {}),
    isTranslatable: true,
    trackName: '',
  }));
  const translationLanguages = Object.entries(translations).map(([languageCode, name]) => ({
    languageCode,
    languageName: runs(name),
  }));
  const audioTracks = [{ captionTrackIndices: tracks.map((_, index) => index), defaultCaptionTrackIndex: 0 }];
  return {
    captions: {
      playerCaptionsTracklistRenderer: { captionTracks, audioTracks, translationLanguages, defaultAudioTrackIndex: 0 },
    },
  };
}

/**
 * Handles `/api/timedtext`: a track's lines as `json3`, `vtt`, or the XML of srv1. A link that requires a token returns
 * an empty body.
 */
export const captionHandler: Handler = (exchange) => {
  const { searchParams } = exchange.url;
  const video = findVideo(searchParams.get('v') ?? '');
  const track = (video === undefined ? [] : tracksOf(video)).find(
    ({ language, asr }) =>
      language === searchParams.get('lang') && (asr ?? false) === (searchParams.get('kind') === 'asr'),
  );
  const alive = Number(searchParams.get('expire')) * 1000 > Date.now();
  if (video === undefined || track === undefined || !alive) return sendText(exchange, 404, 'Not found.\n');
  if (searchParams.get('exp') === 'xpe' && !searchParams.has('pot')) return sendText(exchange, 200, '');
  const language = searchParams.get('tlang') ?? track.language;
  const lines = Array.from(
    { length: Math.ceil((video.seconds * 1000) / lineMs) },
    (_, index) => `[${language}] Line ${index + 1}`,
  );
  const [type, text] = writeCaptions(searchParams.get('fmt'), track.asr ? asrEvents(lines) : events(lines));
  sendText(exchange, 200, text, { 'content-type': type });
};

function tracksOf({ captions }: Video): readonly CaptionTrack[] {
  return captions === 'many' ? [...commonTracks, ...moreTracks] : commonTracks;
}

interface CaptionEvent {
  readonly tStartMs: number;
  readonly dDurationMs?: number;
  readonly aAppend?: 1;
  readonly segs?: readonly { readonly utf8: string; readonly tOffsetMs?: number; readonly acAsrConf?: number }[];
}

function events(lines: readonly string[]): CaptionEvent[] {
  return lines.map((utf8, index) => ({ tStartMs: index * lineMs, dDurationMs: lineMs, segs: [{ utf8 }] }));
}

/**
 * Returns overlapping lines split into words, with a line break after each line and an event without text at the start.
 */
function asrEvents(lines: readonly string[]): CaptionEvent[] {
  const speechEvents = lines.flatMap((line, index): CaptionEvent[] => {
    const words = line.split(' ').map((word, place) => ({
      utf8: place === 0 ? word : ` ${word}`,
      ...(place === 0 ? {} : { tOffsetMs: place * 200 }),
      acAsrConf: 0,
    }));
    const tStartMs = index * lineMs;
    return [
      { tStartMs, dDurationMs: lineMs * 2, segs: words },
      { tStartMs: tStartMs + lineMs - 10, aAppend: 1, segs: [{ utf8: '\n' }] },
    ];
  });
  return [{ tStartMs: 0, dDurationMs: lines.length * lineMs }, ...speechEvents];
}

function writeCaptions(format: string | null, list: readonly CaptionEvent[]): readonly [type: string, text: string] {
  if (format === 'json3') {
    const frame = { wireMagic: 'pb3', pens: [{}], wsWinStyles: [{}], wpWinPositions: [{}] };
    return ['application/json; charset=utf-8', JSON.stringify({ ...frame, events: list })];
  }
  const cues = list.flatMap(({ tStartMs, dDurationMs = 0, segs, aAppend }) =>
    segs === undefined || aAppend === 1 ? [] : [{ tStartMs, dDurationMs, text: segs.map(({ utf8 }) => utf8).join('') }],
  );
  if (format === 'vtt') {
    const lines = cues.map(
      ({ tStartMs, dDurationMs, text }) => `${clock(tStartMs)} --> ${clock(tStartMs + dDurationMs)}\n${text}\n`,
    );
    return ['text/vtt; charset=utf-8', `WEBVTT\n\n${lines.join('\n')}`];
  }
  const lines = cues.map(
    ({ tStartMs, dDurationMs, text }) => `<text start="${tStartMs / 1000}" dur="${dDurationMs / 1000}">${text}</text>`,
  );
  return [
    'text/xml; charset=utf-8',
    `<?xml version="1.0" encoding="utf-8" ?><transcript>${lines.join('')}</transcript>`,
  ];
}

function addressOf({ id, captions }: Video, { language, asr }: CaptionTrack, hl: string): string {
  const expire = `${Math.floor(Date.now() / 1000) + linkSeconds}`;
  const address = new URLSearchParams({
    v: id,
    ei: 'lab',
    caps: 'asr',
    hl,
    expire,
    sparams: 'ip,ipbits,expire,v,ei,caps',
    signature: 'LAB',
    key: 'yt8',
    ...(captions === 'empty' ? { exp: 'xpe' } : {}),
    ...(asr ? { kind: 'asr' } : {}),
    lang: language,
  });
  return `https://www.youtube.com/api/timedtext?${address}`;
}

function clock(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 23);
}
