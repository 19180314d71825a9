import { describe, expect, it } from 'vitest';
import type { JobOperation } from '../../contract/job.ts';
import { durationNotes } from './duration-notes.ts';

const replacement: JobOperation = { type: 'replace_audio_in_video', copyStreams: true };

/** Returns the messages about a result whose streams play for so long, in seconds. */
function messages(operation: JobOperation, video: number, audio: number, hasSeparateAudio = false): string[] {
  const streams = [
    { kind: 'video', codec: 'h264', duration: video },
    { kind: 'audio', codec: 'aac', duration: audio },
  ] as const;
  const probe = { streams, duration: Math.max(video, audio), bytes: 1, chapters: 0 };
  return durationNotes(operation, probe, hasSeparateAudio).map(({ message }) => message);
}

describe('the note about the duration of a result', () => {
  it.each<[Partial<JobOperation>, number, number, RegExp]>([
    [{}, 2, 5.25, /^The audio ends 3.3 s after the video and was kept/],
    [{ type: 'mix_audio_and_video' }, 2, 4, /^The audio ends 2.0 s after the video/],
    [{}, 5, 2, /^The audio ends 3.0 s before the video, whose rest is silent/],
    [{ duration: 'video' }, 5, 2, /^The audio ends 3.0 s before the video. To fill it with silence, set copyStreams/],
  ])('of %j with %d s of video and %d s of audio', (operation, video, audio, message) => {
    expect(messages({ ...replacement, ...operation }, video, audio)).toEqual([expect.stringMatching(message)]);
  });

  it.each<[Partial<JobOperation>, number, number]>([
    [{}, 4, 4.4],
    [{ duration: 'longest' }, 2, 4],
    [{ type: 'join_streams' }, 2, 4],
    [{ duration: 'shortest' }, 2, 2.1],
  ])('is absent for %j with %d s of video and %d s of audio', (operation, video, audio) => {
    expect(messages({ ...replacement, ...operation }, video, audio)).toEqual([]);
  });

  it.each([
    [10, 4, 'The audio ends 6.0 s before the video, because the playlists of both have different durations.'],
    [4, 10, 'The audio ends 6.0 s after the video, because the playlists of both have different durations.'],
  ])('compares the playlists of %d s of video and %d s of audio', (video, audio, message) => {
    expect(messages({ type: 'convert_format', copyStreams: true }, video, audio, true)).toEqual([message]);
    expect(messages({ type: 'convert_format', copyStreams: true }, video, video + 0.4, true)).toEqual([]);
  });
});
