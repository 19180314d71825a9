import { type ContainerFormat, containerFormats } from '../formats/container-formats.ts';
import type { EncoderChoice } from '../formats/encoder-choice.ts';
import type { Recipe } from './make-file.ts';
import type { RateName, RecordingName, UnusualName } from './media-names.ts';

const { mp4, m4a, mkv, webm, mp3, ts } = containerFormats;
const avc = { video: mp4.encoders.video, audio: mp4.encoders.audio };

/** Returns a container that results are never written to. */
function readOnly(muxer: string): ContainerFormat {
  return { ...mkv, title: muxer, muxer };
}

/** Moves frames of 40 ms, so that a frame begins every `seconds` seconds. */
const every = (seconds: number) => (time: number) => (time / 0.04) * seconds;
/** Inserts a pause of the given length in seconds, two seconds after the start. */
const pause = (seconds: number) => (time: number) => (time < 2 ? time : time + seconds);
/** Varies the frame duration between 40 and 120 ms. */
const varying = (time: number) => time + 0.04 * Math.floor(2 * time + 1.5 * Math.sin(5 * time));

/** Drops the frame at two seconds. */
const lostFrame = (time: number) => (Math.abs(time - 2) < 0.01 ? undefined : time);

/** A low sample rate, and few and small frames, because long streams take time to encode. */
const lowSampleRate = { sampleRate: 16_000 };
const lowRates = { ...lowSampleRate, rate: 10, size: [64, 36] } as const;

const slides = { ...avc, ...lowSampleRate, videoSeconds: 0.2, videoClock: every(20), audioSeconds: 90 };
const slow = { ...avc, videoSeconds: 0.4, videoClock: every(1), audioSeconds: 10 };
const gap = { ...avc, videoClock: pause(5), audioClock: pause(5) };
const veryLate = { ...avc, ...lowRates, videoSeconds: 60, audioStart: 45, audioSeconds: 8 };
/** Encodes without reordering, which would cause the first frame to be decoded 40 seconds early. */
const inOrder: readonly EncoderChoice[] = [{ name: 'libx264', options: { preset: 'veryfast', bf: '0' } }];
/** Encodes with reordered frames, for a container with decoding times only. */
const mpeg4WithBFrames: EncoderChoice = { name: 'mpeg4', options: { bf: '2', g: '12' } };

const dolby = (name: 'ac3' | 'eac3') => ({ container: readOnly(name), audio: [{ name, options: {}, maxChannels: 2 }] });

/** Files with rare but valid timing. */
export const unusualRecipes: Readonly<Record<UnusualName, Recipe>> = {
  'slides.mp4': { container: mp4, ...slides },
  'slides.mkv': { container: mkv, ...slides },
  // Longer gaps would count as jumps of the MPEG-TS clock.
  'slides.ts': { container: ts, ...slides, video: inOrder, videoClock: every(8), audioSeconds: 40 },
  // Two frames that later frames need are decoded 20 seconds early.
  'reordered-slides.ts': {
    container: ts,
    ...avc,
    ...lowSampleRate,
    videoSeconds: 0.24,
    videoClock: every(10),
    audioSeconds: 60,
  },
  'silent-slides.mkv': { container: mkv, video: avc.video, videoSeconds: 0.2, videoClock: every(30) },
  'gap.mp4': { container: mp4, ...gap },
  'gap.mkv': { container: mkv, ...gap },
  'gap.ts': { container: ts, ...gap },
  'video-gap.mkv': { container: mkv, ...avc, ...lowSampleRate, videoClock: pause(30), audioSeconds: 34 },
  'long-gap.ts': { container: ts, ...avc, videoClock: pause(15), audioClock: pause(15) },
  'lost-frame.mp4': { container: mp4, ...avc, videoClock: lostFrame },
  'varying.mp4': { container: mp4, ...avc, videoClock: varying, audioSeconds: 12 },
  'varying.mkv': { container: mkv, ...avc, videoClock: varying, audioSeconds: 12 },
  'slow.mkv': { container: mkv, ...slow },
  'slow.ts': { container: ts, ...slow },
  'in-order.mkv': { container: mkv, ...avc, video: inOrder },
  'one-frame.mp4': { container: mp4, ...avc, videoSeconds: 0.04 },
  'one-frame.mkv': { container: mkv, ...avc, videoSeconds: 0.04 },
  'one-frame.ts': { container: ts, ...avc, videoSeconds: 0.04, audioSeconds: 15 },
  'one-packet.mp3': { container: mp3, audio: mp3.encoders.audio, audioSeconds: 0.01 },
  'one-packet.m4a': { container: m4a, audio: m4a.encoders.audio, audioSeconds: 0.01 },
  'short-audio.mkv': { container: mkv, ...avc, ...lowRates, videoSeconds: 60, audioSeconds: 8 },
  'very-late-audio.mkv': { container: mkv, ...veryLate },
  'very-late-audio.ts': { container: ts, ...veryLate },
  'low-rate.m4a': { container: m4a, audio: m4a.encoders.audio, sampleRate: 8000 },
  'av.avi': { container: readOnly('avi'), video: [mpeg4WithBFrames], audio: mp3.encoders.audio },
  'av.flv': { container: readOnly('flv'), ...avc },
  'a.ac3': dolby('ac3'),
};

/** Files that follow another one with another sample rate. */
export const rateRecipes: Readonly<Record<RateName, Recipe>> = {
  'high-a.mp3': { container: mp3, audio: mp3.encoders.audio, sampleRate: 48_000 },
  'high-a.ac3': { ...dolby('ac3'), sampleRate: 48_000 },
  'a.eac3': dolby('eac3'),
  'high-a.eac3': { ...dolby('eac3'), sampleRate: 48_000 },
};

/**
 * Recordings of browsers (MediaRecorder), which do not know how long they will be. In WebM, the segment has no size, and
 * there is neither a duration nor an index; browsers do not state the size of clusters either, but FFmpeg does. MP4
 * consists of fragments, without a duration.
 */
export const recordingRecipes: Readonly<Record<RecordingName, Recipe>> = {
  'recorded.webm': {
    container: { ...webm, muxerOptions: { live: '1', cluster_time_limit: '500' } },
    ...{ video: webm.encoders.video, audio: webm.encoders.audio },
    ...{ videoClock: pause(5), audioClock: pause(5) },
  },
  'recorded.mp4': {
    container: { ...mp4, muxerOptions: { movflags: 'empty_moov+default_base_moof', frag_duration: '500000' } },
    ...gap,
  },
};
