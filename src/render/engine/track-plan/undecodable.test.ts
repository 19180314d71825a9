import { describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import { planTracks } from './track-plan.ts';

/** Returns the streams of an input, written `video h264`, `audio aac`. */
function input(at: number, ...streams: string[]): SourceStream[] {
  return streams.map((text, index) => {
    const [kind = '', codec = ''] = text.split(' ');
    const plain = { cover: false, empty: false };
    return { input: at, jobInput: at, index, kind: kind as SourceStream['kind'], codec, ...plain };
  });
}

/** Returns the tracks of a plan, written `copy video h264`, and its notes. */
function plan(inputs: SourceStream[][], type: EngineOperation, ext: OutputContainer, copyStreams = true) {
  const { tracks, notes } = planTracks(inputs, { type, copyStreams }, ext);
  return {
    tracks: tracks.map(({ action, kind, sources }) => `${action} ${kind} ${sources[0]?.codec}`),
    messages: notes.map(({ message }) => message),
  };
}

const film = input(0, 'video h264', 'audio aac');

describe('audio and video of an unknown codec', () => {
  const reason = 'was left out: it can be neither copied nor decoded.';

  it.each([true, false])('is left out with a note if its input has other such streams (copied: %s)', (copyStreams) => {
    const streams = input(0, 'video unknown', 'video h264', 'audio unknown', 'audio aac', 'audio ac4');
    const action = copyStreams ? 'copy' : 'encode';
    expect(plan([streams], 'convert_format', 'mp4', copyStreams)).toEqual({
      tracks: [`${action} video h264`, `${action} audio aac`],
      messages: [
        `The unknown video (input 1, stream 0) ${reason}`,
        `The unknown audio (input 1, stream 2) ${reason}`,
        `The ac4 audio (input 1, stream 4) ${reason}`,
      ],
    });
  });

  it('is named by its four-character code', () => {
    const [aac, unknown] = input(0, 'audio aac', 'audio unknown');
    if (aac === undefined || unknown === undefined) throw new Error('there are no streams');
    expect(plan([[aac, { ...unknown, code: 'apac' }]], 'extract_audio', 'm4a').messages).toEqual([
      `The audio of unknown codec apac (input 1, stream 1) ${reason}`,
    ]);
  });

  it('is left out if the library cannot decode it and the container does not hold it', () => {
    const streams = input(0, 'audio aac', 'audio truehd').map((stream) => ({ ...stream, lacksDecoder: true }));
    expect(plan([streams], 'convert_format', 'ts').tracks).toEqual(['copy audio aac']);
    expect(plan([streams], 'convert_format', 'mkv').tracks).toEqual(['copy audio aac', 'copy audio truehd']);
    expect(() => plan([streams], 'convert_format', 'mkv', false)).toThrow(/cannot be decoded/);
  });

  it('is refused if it is the only such stream of an input', () => {
    expect(() => plan([film, input(1, 'audio unknown')], 'join_streams', 'mkv')).toThrow(/incompatible codecs/);
    expect(() => plan([input(0, 'video unknown', 'audio aac')], 'convert_format', 'mkv')).toThrow(/unknown video/);
  });

  it.each(['unknown', 'ac4'])('is refused without an offer to re-encode it: %s', (codec) => {
    const streams = [input(0, 'video h264', `audio ${codec}`)];
    const label = `the ${codec} audio (input 1, stream 1)`;
    const refused = (message: string) => expect.objectContaining({ code: 'incompatible_codecs', message });
    const start = (ext: string) =>
      `Processing failed (incompatible codecs for the container ${ext}): ${label} cannot be`;
    expect(() => plan(streams, 'convert_format', 'ts')).toThrow(
      refused(
        `${start('ts')} copied into it. Use an input without ${label}, which cannot be decoded, or the operation extract_video.`,
      ),
    );
    expect(() => plan(streams, 'convert_format', 'mkv', false)).toThrow(
      refused(`${start('mkv')} decoded. Use an input without ${label}, or the operation extract_video.`),
    );
    expect(() => plan(streams, 'extract_audio', 'm4a', false)).toThrow(
      refused(`${start('m4a')} decoded. Use an input without ${label}.`),
    );
    const mix = () => plan([film, input(1, `audio ${codec}`)], 'mix_audio_and_video', 'mp4');
    expect(mix).toThrow(/cannot be decoded/);
  });
});
