import { Rational, type Stream } from 'node-av/lib';
import { containerFormats } from '../formats/container-formats.ts';
import type { FilterSpec } from '../media/output/filter-chain.ts';
import type { Recipe } from './make-file.ts';
import type { EncodingName } from './media-names.ts';
import { setRotation } from './stream-extras.ts';

const { mp4, m4a, mkv, mp3, opus, flac, wav, ts } = containerFormats;
const { video, audio } = mp4.encoders;

/** Noise at a low volume, which all codecs reproduce at the same loudness. */
const quietNoise = (seconds: number): readonly FilterSpec[] => [
  ['anoisesrc', `color=pink:amplitude=0.05:seed=1:sample_rate=44100:duration=${seconds}`],
];

/** Quiet noise with a loud click each second, so that amplification exceeds full scale. */
const peaks: readonly FilterSpec[] = [
  ['aevalsrc', 'exprs=0.03*(random(0)*2-1)+if(lt(mod(t\\,1)\\,0.002)\\,0.9*sin(2*PI*1000*t)):s=44100:d=8'],
];

function setWidePixels(stream: Stream): void {
  stream.sampleAspectRatio = stream.codecpar.sampleAspectRatio = new Rational(16, 9);
}

/** Files whose frames or loudness are to change when they are encoded. */
export const encodingRecipes: Readonly<Record<EncodingName, Recipe>> = {
  // 320 by 144 pixels, which players display as 569 by 144.
  'anamorphic.mkv': { container: mkv, video, size: [320, 144], videoSeconds: 1, videoTraits: setWidePixels },
  'odd.mkv': {
    container: mkv,
    video: [{ name: 'ffv1', options: {} }],
    size: [321, 181],
    pixels: 'yuv444p',
    videoSeconds: 1,
  },
  // 50 frames per second.
  'fast.mp4': { container: mp4, video, audio, size: [320, 180], rate: 50, videoSeconds: 2, audioSeconds: 2 },
  'large.mp4': { container: mp4, video, audio, size: [640, 360], videoSeconds: 2, audioSeconds: 2 },
  'turned.mkv': { container: mkv, video, size: [320, 180], videoSeconds: 1, videoTraits: setRotation },
  'noise.mkv': {
    container: mkv,
    audio: flac.encoders.audio,
    sound: [['anoisesrc', 'color=pink:amplitude=0.6:seed=1:sample_rate=48000:duration=8']],
  },
  'tone.mkv': {
    container: mkv,
    audio: flac.encoders.audio,
    sound: [['sine', 'frequency=440:sample_rate=48000:duration=8']],
  },
  'mono-tone.wav': {
    container: wav,
    audio: wav.encoders.audio,
    layout: 'mono',
    sampleRate: 48_000,
    sound: [['sine', 'frequency=440:sample_rate=48000:duration=8']],
  },
  'silent.mkv': { container: mkv, video, audio, size: [64, 36], sound: [['anullsrc', 'r=48000:cl=stereo:d=4']] },
  'quiet.wav': { container: wav, audio: wav.encoders.audio, sound: quietNoise(8) },
  'quiet.m4a': { container: m4a, audio: m4a.encoders.audio, sound: quietNoise(8) },
  'quiet.mp3': { container: mp3, audio: mp3.encoders.audio, sound: quietNoise(8) },
  'quiet.opus': { container: opus, audio: opus.encoders.audio, sound: quietNoise(8), sampleRate: 48_000 },
  'quiet.flac': { container: flac, audio: flac.encoders.audio, sound: quietNoise(8) },
  'quiet.mkv': { container: mkv, video, audio, sound: quietNoise(8), videoSeconds: 8 },
  'quiet.ts': { container: ts, audio: ts.encoders.audio, sound: quietNoise(8) },
  'peaks.wav': { container: wav, audio: wav.encoders.audio, sound: peaks },
  // Twenty decibels louder from the fourth second on.
  'louder.mkv': {
    container: mkv,
    video,
    audio,
    videoSeconds: 8,
    sound: [...quietNoise(8), ['volume', 'volume=if(lt(t\\,4)\\,1\\,10):eval=frame']],
  },
  'silence.wav': { container: wav, audio: wav.encoders.audio, sound: [['anullsrc', 'r=44100:cl=stereo:d=2']] },
  'mono.wav': {
    container: wav,
    audio: wav.encoders.audio,
    layout: 'mono',
    sampleRate: 48_000,
    audioSeconds: 8,
    sound: [['anoisesrc', 'color=pink:amplitude=0.6:seed=1:sample_rate=48000:duration=8']],
  },
};
