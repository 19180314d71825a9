import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');

const job = (path: string, ext: string, copyStreams: boolean) => {
  const input = { url: labFile(path).url, ext: path.split('.').at(-1) ?? '' };
  const operation = { type: 'extract_audio', copyStreams };
  return { ...describeJob(operation.type, [input], ext), operation };
};

/** How much slower audio plays that was encoded at 48 kHz and is declared as 44.1 kHz. */
const slower = 48 / 44.1;

/** Returns the pitch of the lab's tones, in Hz: each rises by half in ten seconds, and falls back. */
const pitchAt = (tone: number, seconds: number) => tone * (1 + (seconds % 10) / 20);

/** Audio in AAC with headers, whose sample rate is 44.1 instead of 48 kHz from a time on. */
const changing = [
  { path: '/unusual/rates.aac', tone: 220, from: 6, seconds: 12, times: [1, 3, 5, 6.2, 7, 9] },
  { path: '/playlists/rates.m3u8', tone: 262, from: 12, seconds: 24, times: [1, 5, 8, 12.2, 13, 16, 19, 23] },
] as const;

describe.each(changing)('a sample rate that changes without a tag in $path', ({ path, tone, from, seconds, times }) => {
  test.each(['m4a', 'mkv'])('is not copied to %s, and the error states the time', async (ext) => {
    expect(await run(service, job(path, ext, true))).toMatchObject({
      status: 'failed',
      error_code: 'incompatible_codecs',
      retryable: false,
      input: 0,
      error: expect.stringContaining(
        `The aac audio of input 1 changes its sample rate from 48000 to 44100 Hz at ${from}.0 s of the result`,
      ),
    });
  });

  test('is encoded with its pitch and its duration', async () => {
    const { event, file } = await render(service, job(path, 'wav', false));
    expect(event.output?.notes).toEqual([]);
    const wav = readWav(file);
    expect(Math.abs(wav.seconds - from - (seconds - from) * slower)).toBeLessThan(0.05);
    for (const time of times) {
      const middle = time + windowSeconds / 2;
      const expected = middle < from ? pitchAt(tone, middle) : pitchAt(tone, from + (middle - from) / slower) / slower;
      expect(Math.abs(wav.pitchAt(time) - expected), `at ${time} s`).toBeLessThan(0.02 * expected);
    }
  });
});

/** Seconds of which a pitch is measured. */
const windowSeconds = 0.5;

/** Reads a WAV file of 16 bits and two channels. */
function readWav(file: Buffer) {
  const [rate, data] = [file.readUInt32LE(24), file.indexOf('data') + 8];
  const frameBytes = 4;
  return {
    seconds: (file.length - data) / frameBytes / rate,
    /** Returns the pitch from a time on, in Hz, by the number of times that the left channel crosses zero. */
    pitchAt(seconds: number): number {
      const first = data + Math.round(seconds * rate) * frameBytes;
      const samples = Array.from({ length: windowSeconds * rate }, (_, at) =>
        file.readInt16LE(first + at * frameBytes),
      );
      const crossings = samples.filter((sample, at) => sample < 0 !== (samples[at - 1] ?? sample) < 0).length;
      return crossings / 2 / windowSeconds;
    },
  };
}
