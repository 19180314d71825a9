import { describe, expect, it } from 'vitest';
import { refuseUnreadableVideo } from './refuse-unreadable-video.ts';
import type { SourceStream } from './source-stream.ts';

const common = { input: 1, jobInput: 1, cover: false, empty: false };
const audio: SourceStream = { ...common, index: 0, kind: 'audio', codec: 'aac' };
const cover: SourceStream = { ...common, index: 1, kind: 'video', codec: 'png', cover: true };
const unreadable: SourceStream = {
  ...{ ...common, index: 2, kind: 'video', codec: 'h264', empty: true },
  unreadable: true,
};
const video: SourceStream = { ...common, index: 3, kind: 'video', codec: 'h264' };

describe('refuseUnreadableVideo', () => {
  it('refuses an input whose only video cannot be read', () => {
    expect(() => refuseUnreadableVideo([audio, cover, unreadable], 'join_streams')).toThrow(
      expect.objectContaining({
        code: 'input_unreadable',
        message: expect.stringContaining('No frame of the h264 video (input 2, stream 2) can be read'),
        input: 1,
      }),
    );
  });

  it.each([
    ['with another video', [unreadable, video], 'convert_format'],
    ['without a packet of its video', [audio, { ...video, empty: true }], 'convert_format'],
    ['whose audio is extracted', [audio, unreadable], 'extract_audio'],
    ['that replaces the audio of another', [audio, unreadable], 'replace_audio_in_video'],
  ] as const)('accepts an input %s', (_what, streams, operation) => {
    expect(() => refuseUnreadableVideo(streams, operation)).not.toThrow();
  });
});
