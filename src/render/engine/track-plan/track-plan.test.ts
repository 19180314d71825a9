import { describe, expect, it } from 'vitest';
import { type OutputContainer, outputContainers } from '../../../contract/containers.ts';
import { canHold, containerFormats } from '../formats/container-formats.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import type { TrackPlan } from './track.ts';
import { planTracks } from './track-plan.ts';

const names = Object.keys(containerFormats) as OutputContainer[];

/**
 * Returns the streams of an input, written `video h264`, `audio aac`, `cover mjpeg`, `subtitle subrip`, `data
 * bin_data`.
 */
function input(at: number, ...streams: string[]): SourceStream[] {
  return streams.map((text, index) => {
    const [kind = '', codec = '', empty] = text.split(' ');
    const cover = kind === 'cover';
    return {
      input: at,
      jobInput: at,
      index,
      kind: cover ? 'video' : (kind as SourceStream['kind']),
      codec,
      cover,
      empty: empty === 'empty',
    };
  });
}

function plan(inputs: SourceStream[][], type: EngineOperation, ext: OutputContainer, copyStreams = true): TrackPlan {
  return planTracks(inputs, { type, copyStreams }, ext);
}

/** Returns the tracks of a plan, written `copy video 0:0`. */
function tracks(trackPlan: TrackPlan): string[] {
  return trackPlan.tracks.map(({ action, kind, sources }) => {
    return `${action} ${kind} ${sources.map((source) => `${source.input}:${source.index}`).join('+')}`;
  });
}

function messages(trackPlan: TrackPlan): string[] {
  return trackPlan.notes.map(({ message }) => message);
}

const film = input(0, 'video h264', 'audio aac');

describe('track plan of an operation', () => {
  it('joins all streams of all inputs, video first', () => {
    const trackPlan = plan([input(0, 'audio aac', 'video h264'), input(1, 'audio opus')], 'join_streams', 'mp4');
    expect(tracks(trackPlan)).toEqual(['copy video 0:1', 'copy audio 0:0', 'copy audio 1:0']);
    expect(trackPlan.notes).toEqual([]);
  });

  it('notes that the result has several video streams', () => {
    const trackPlan = plan([film, input(1, 'video hevc')], 'join_streams', 'mkv');
    expect(tracks(trackPlan)).toEqual(['copy video 0:0', 'copy video 1:0', 'copy audio 0:1']);
    const message = 'The result has 2 video streams. Most players show only the first.';
    expect(trackPlan.notes).toEqual([{ code: 'several_videos', message }]);
  });

  it('accepts separate video and audio files for one input', () => {
    const files = [input(0, 'video h264'), input(1, 'audio aac'), input(2, 'video vp9', 'audio mp3')];
    const apart = files.map((streams, at) => streams.map((stream) => ({ ...stream, jobInput: at < 2 ? 0 : 1 })));
    expect(tracks(plan(apart.slice(0, 2), 'extract_audio', 'm4a'))).toEqual(['copy audio 1:0']);
    expect(tracks(plan(apart, 'replace_audio_in_video', 'mp4'))).toEqual(['copy video 0:0', 'copy audio 2:1']);
  });

  it.each([
    ['convert_format', ['copy video 0:0', 'copy audio 0:1']],
    ['extract_video', ['copy video 0:0']],
  ] as const)('%s keeps the expected streams', (type, expected) => {
    expect(tracks(plan([film], type, 'mp4'))).toEqual(expected);
  });

  it('extracts only audio, with its cover', () => {
    const source = input(0, 'video h264', 'audio aac', 'cover mjpeg', 'audio aac');
    expect(tracks(plan([source], 'extract_audio', 'm4a'))).toEqual([
      'copy audio 0:1',
      'copy audio 0:3',
      'copy video 0:2',
    ]);
  });

  it('extracts the first audio stream into mp3, and notes the streams that it leaves out', () => {
    const trackPlan = plan([input(0, 'video h264', 'audio aac', 'audio aac')], 'extract_audio', 'mp3', false);
    expect(tracks(trackPlan)).toEqual(['encode audio 0:1']);
    expect(messages(trackPlan)).toEqual([
      'The aac audio (input 1, stream 2) was left out: MP3 stores only one stream.',
    ]);
  });

  it('replaces audio', () => {
    expect(tracks(plan([film, input(1, 'video vp9', 'audio mp3')], 'replace_audio_in_video', 'mp4'))).toEqual([
      'copy video 0:0',
      'copy audio 1:1',
    ]);
  });

  it.each(['replace_audio_in_video', 'mix_audio_and_video'] as const)(
    '%s keeps the streams that belong to the video',
    (type) => {
      const first = input(0, 'video h264', 'audio aac', 'subtitle ass', 'cover png', 'attachment ttf', 'data klv');
      const second = input(1, 'video h264', 'cover png', 'audio mp3', 'subtitle subrip');
      const trackPlan = plan([first, second], type, 'mkv');
      const audio = type === 'replace_audio_in_video' ? 'copy audio 1:2' : 'mix audio 0:1+1:2';
      const rest = ['copy subtitle 0:2', 'copy video 0:3', 'copy attachment 0:4'];
      expect(tracks(trackPlan)).toEqual(['copy video 0:0', audio, ...rest]);
      expect(messages(trackPlan)).toEqual([
        `The subrip subtitle (input 2, stream 3) was left out: ${type} takes only audio from input 2.`,
        'The klv data (input 1, stream 5) was left out: Matroska cannot store it.',
      ]);
    },
  );

  it('mixes the first audio streams of both inputs, and copies the video', () => {
    const trackPlan = plan([film, input(1, 'audio mp3', 'audio mp3')], 'mix_audio_and_video', 'mp4');
    expect(tracks(trackPlan)).toEqual(['copy video 0:0', 'mix audio 0:1+1:0']);
    expect(trackPlan.notes).toHaveLength(1);
  });

  it('replaces audio instead of mixing it if the video has none', () => {
    const inputs = [input(0, 'video h264', 'audio aac empty'), input(1, 'audio mp3', 'audio aac')];
    for (const copyStreams of [true, false]) {
      const mixed = tracks(plan(inputs, 'mix_audio_and_video', 'mp4', copyStreams));
      expect(mixed).toEqual(tracks(plan(inputs, 'replace_audio_in_video', 'mp4', copyStreams)));
    }
  });

  it('gives each source of a mix its volume, also if the video has no audio', () => {
    const volumes = [1, 0.5];
    const mixOf = (first: SourceStream[]) => {
      const trackPlan = planTracks(
        [first, input(1, 'audio mp3')],
        { type: 'mix_audio_and_video', copyStreams: true, volumes },
        'mp4',
      );
      return trackPlan.tracks.map(({ action, volumes: sourceVolumes }) => [action, sourceVolumes]);
    };
    expect(mixOf(film)).toEqual([
      ['copy', undefined],
      ['mix', [1, 0.5]],
    ]);
    expect(mixOf(input(0, 'video h264'))).toEqual([
      ['copy', undefined],
      ['mix', [0.5]],
    ]);
  });

  it('encodes the video of a mix if streams are not copied', () => {
    expect(tracks(plan([film, input(1, 'audio mp3')], 'mix_audio_and_video', 'webm', false))).toEqual([
      'encode video 0:0',
      'mix audio 0:1+1:0',
    ]);
  });
});

describe('copying into each container', () => {
  const codecs = {
    video: ['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'theora', 'unknown'],
    audio: ['aac', 'opus', 'mp3', 'vorbis', 'flac', 'ac3', 'pcm_s16le', 'dts', 'unknown'],
  };
  const cases = names.flatMap((ext) =>
    (['video', 'audio'] as const).flatMap((kind) => codecs[kind].map((codec) => [ext, kind, codec] as const)),
  );

  it.each(cases)('%s copies or refuses %s %s', (ext, kind, codec) => {
    const source = input(0, `${kind} ${codec}`);
    const make = () => tracks(plan([source], 'convert_format', ext));
    if (canHold(containerFormats[ext], kind, codec)) expect(make()).toEqual([`copy ${kind} 0:0`]);
    else expect(make).toThrow(/incompatible codecs for the container/);
  });

  it.each(names)('%s holds all media when it is encoded', (ext) => {
    const kinds = containerFormats[ext].codecs.video.length === 0 ? ['audio'] : ['video', 'audio'];
    const source = input(0, ...kinds.map((kind) => (kind === 'video' ? 'video theora' : 'audio dts')));
    expect(tracks(plan([source], 'convert_format', ext, false))).toEqual(
      kinds.map((kind, at) => `encode ${kind} 0:${at}`),
    );
  });

  it('follows the measured table', () => {
    const yes = (ext: OutputContainer) =>
      codecs.video.concat(codecs.audio).filter((codec) => {
        return canHold(containerFormats[ext], 'video', codec) || canHold(containerFormats[ext], 'audio', codec);
      });
    expect(Object.fromEntries(names.map((ext) => [ext, yes(ext).join(' ')]))).toEqual({
      mp4: 'h264 hevc av1 vp9 mpeg4 aac opus mp3 vorbis flac ac3',
      mov: 'h264 hevc mpeg4 aac mp3 ac3 pcm_s16le',
      mkv: 'h264 hevc av1 vp9 vp8 mpeg4 theora aac opus mp3 vorbis flac ac3 pcm_s16le dts',
      webm: 'av1 vp9 vp8 opus vorbis',
      ts: 'h264 hevc aac opus mp3 ac3 dts',
      m4a: 'aac ac3',
      mp3: 'mp3',
      ogg: 'opus vorbis flac',
      opus: 'opus',
      wav: 'mp3 flac ac3 pcm_s16le',
      flac: 'flac',
      aac: 'aac',
    });
  });
});

describe('a refusal', () => {
  const message = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      return error;
    }
    throw new Error('nothing was thrown');
  };

  it('names the codec, the container and the remedy', () => {
    expect(message(() => plan([film], 'convert_format', 'webm'))).toMatchObject({
      code: 'incompatible_codecs',
      message:
        'Processing failed (incompatible codecs for the container webm): the h264 video (input 1, stream 0), ' +
        'the aac audio (input 1, stream 1) cannot be copied into it. Choose output.ext mp4 or mov or mkv or ts, ' +
        'or set copyStreams to false to re-encode.',
    });
  });

  it.each([
    [
      'mp4',
      'video mjpeg',
      'players do not play the mjpeg video (input 1, stream 0) in MP4. Choose output.ext mov or mkv, or',
    ],
    [
      'mp4',
      'audio truehd',
      'players do not play the truehd audio (input 1, stream 0) in MP4. Choose output.ext mkv, or',
    ],
    [
      'mov',
      'video wmv2',
      'players do not play the wmv2 video (input 1, stream 0) in QuickTime. Choose output.ext mkv, or',
    ],
  ] as const)('explains that players do not play the stream in %s: %s', (ext, source, words) => {
    expect(message(() => plan([input(0, source)], 'convert_format', ext))).toMatchObject({
      code: 'incompatible_codecs',
      message: `Processing failed (incompatible codecs for the container ${ext}): ${words} set copyStreams to false to re-encode.`,
    });
  });

  it('applies to copying video without presentation times, but not to encoding it', () => {
    const raw = input(0, 'video h264').map((source) => ({ ...source, untimed: true }));
    expect(message(() => plan([raw], 'convert_format', 'mp4'))).toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringContaining(
        'the h264 video (input 1, stream 0) cannot be copied because its file does not contain the presentation time of each frame. ' +
          'Set copyStreams to false',
      ),
    });
    expect(tracks(plan([raw], 'convert_format', 'mp4', false))).toEqual(['encode video 0:0']);
  });

  it('offers only re-encoding if no container holds the combination', () => {
    const source = input(0, 'video h264', 'audio cook');
    expect(message(() => plan([source], 'convert_format', 'mp4'))).toMatchObject({
      message: expect.stringMatching(/cannot be copied into it\. Set copyStreams to false to re-encode\.$/),
    });
  });

  it.each(names.filter((ext) => outputContainers[ext].audioOnly))(
    'keeps video out of %s, whether copied or not, and names extract_audio',
    (ext) => {
      for (const copyStreams of [true, false]) {
        for (const type of ['convert_format', 'join_streams'] as const) {
          expect(message(() => plan([film], type, ext, copyStreams))).toMatchObject({
            code: 'incompatible_codecs',
            message: expect.stringContaining('extract_audio'),
          });
        }
      }
    },
  );

  it.each(names)('applies to several audio streams converted into %s if it holds only one', (ext) => {
    const [codec] = containerFormats[ext].codecs.audio;
    const make = () => plan([input(0, `audio ${codec}`, `audio ${codec}`)], 'convert_format', ext);
    if (!outputContainers[ext].oneStream) expect(tracks(make())).toEqual(['copy audio 0:0', 'copy audio 0:1']);
    else {
      expect(message(make)).toMatchObject({
        code: 'incompatible_codecs',
        message: expect.stringContaining('it holds 1 audio stream, but there are 2'),
      });
    }
  });

  it('applies to codecs that a container would store unreadably', () => {
    const rubbish = ['ts av1', 'ts vp9', 'ts vorbis', 'ts flac', 'ts pcm_s16le', 'wav aac', 'wav vorbis', 'mov vorbis'];
    for (const [ext, codec] of rubbish.map((pair) => pair.split(' ') as [OutputContainer, string])) {
      const kind = codec === 'av1' || codec === 'vp9' ? 'video' : 'audio';
      expect(message(() => plan([input(0, `${kind} ${codec}`)], 'join_streams', ext))).toMatchObject({
        code: 'incompatible_codecs',
      });
    }
  });

  it('applies to an excessive number of streams', () => {
    const many = input(0, ...Array.from({ length: 65 }, () => 'audio aac'));
    expect(message(() => plan([many], 'convert_format', 'mp4'))).toMatchObject({
      code: 'incompatible_codecs',
      input: 0,
    });
  });

  it.each([
    [
      'extract_audio',
      [input(0, 'video h264')],
      'Input 1 has no audio stream, which extract_audio needs. Use an input with audio, or another operation.',
    ],
    ['extract_video', [input(0, 'audio aac', 'cover mjpeg')], 'Input 1 has no video stream'],
    ['replace_audio_in_video', [film, input(1, 'video h264')], 'Input 2 has no audio stream'],
    ['replace_audio_in_video', [input(0, 'audio aac'), input(1, 'video h264')], 'Input 1 has no video stream'],
    ['mix_audio_and_video', [film, input(1, 'video h264')], 'Input 2 has no audio stream'],
    ['join_streams', [film, input(1, 'subtitle subrip')], 'Input 2 has neither a video nor an audio stream'],
    [
      'convert_format',
      [input(0, 'audio aac empty')],
      'Input 1 contains no frames of the aac audio (input 1, stream 0): it has only their headers.',
    ],
    ['convert_format', [[]], 'Input 1 has neither a video nor an audio stream'],
  ] as const)('applies to %s without the required streams: %j', (type, inputs, text) => {
    expect(
      message(() =>
        plan(
          inputs.map((streams) => [...streams]),
          type,
          'mp4',
        ),
      ),
    ).toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining(text),
    });
  });
});

describe('streams other than video and audio', () => {
  it.each([
    ['mp4', 'mjpeg', true],
    ['m4a', 'png', true],
    ['mp3', 'mjpeg', true],
    ['mkv', 'mjpeg', true],
    ['flac', 'png', true],
    ['mp4', 'webp', false],
    ['mov', 'png', false],
    ['webm', 'png', false],
    ['ts', 'png', false],
    ['ogg', 'png', false],
  ] as const)('keep a cover in %s (%s): %s', (ext, codec, isKept) => {
    const [audio] = containerFormats[ext].codecs.audio;
    const trackPlan = plan([input(0, `cover ${codec}`, `audio ${audio}`)], 'convert_format', ext);
    expect(tracks(trackPlan)).toEqual(isKept ? ['copy audio 0:1', 'copy video 0:0'] : ['copy audio 0:1']);
    expect(trackPlan.notes).toHaveLength(isKept ? 0 : 1);
  });

  it('include covers and subtitles even if streams are encoded', () => {
    const source = input(0, 'video vp9', 'audio opus', 'cover png', 'subtitle mov_text');
    expect(tracks(plan([source], 'convert_format', 'mp4', false))).toEqual([
      'encode video 0:0',
      'encode audio 0:1',
      'copy subtitle 0:3',
      'copy video 0:2',
    ]);
  });

  it('include subtitles that fit and converted text, with notes about other subtitles and data', () => {
    const kinds = ['subtitle subrip', 'data bin_data', 'subtitle mov_text', 'audio aac empty', 'subtitle arib_caption'];
    const trackPlan = plan([input(0, 'video h264', ...kinds)], 'convert_format', 'mkv');
    expect(tracks(trackPlan)).toEqual(['copy video 0:0', 'copy subtitle 0:1', 'encode subtitle 0:3']);
    expect(messages(trackPlan)).toEqual([
      'The aac audio (input 1, stream 4) was left out: no frame of it was found when the file was opened.',
      'The bin_data data (input 1, stream 2) was left out: Matroska cannot store it.',
      'The mov_text subtitle (input 1, stream 3) was converted to subrip, without its formatting.',
      'The arib_caption subtitle (input 1, stream 5) was left out: Matroska cannot store it.',
    ]);
  });

  it('include data and attachments that fit, after all media', () => {
    const source = input(0, 'attachment ttf', 'data timed_id3', 'chapters bin_data', 'video h264', 'cover png');
    expect(tracks(plan([source], 'convert_format', 'mkv', false))).toEqual([
      'encode video 0:3',
      'copy video 0:4',
      'copy attachment 0:0',
    ]);
    const tsPlan = plan([source], 'join_streams', 'ts');
    expect(tracks(tsPlan)).toEqual(['copy video 0:3', 'copy data 0:1']);
    const message = 'The ttf attachment (input 1, stream 0) was left out: MPEG-TS cannot store it.';
    expect(tsPlan.notes[0]).toEqual({ code: 'stream_left_out', message, input: 0 });
    const videoPlan = plan([source], 'extract_video', 'mkv');
    expect(tracks(videoPlan)).toEqual(['copy video 0:3']);
    expect(messages(videoPlan)).toEqual([
      'The ttf attachment (input 1, stream 0) was left out: extract_video keeps only video.',
      'The timed_id3 data (input 1, stream 1) was left out: extract_video keeps only video.',
      'The png cover image (input 1, stream 4) was left out: extract_video keeps only video.',
    ]);
  });

  it('are left out instead of refused if there are too many attachments', () => {
    const trackPlan = plan(
      [input(0, 'video h264', ...Array<string>(70).fill('attachment ttf'))],
      'convert_format',
      'mkv',
    );
    expect(trackPlan.tracks).toHaveLength(64);
    expect(trackPlan.notes).toHaveLength(7);
    expect(messages(trackPlan)[0]).toBe(
      'The ttf attachment (input 1, stream 64) was left out: a result has at most 64 streams.',
    );
  });

  it.each([
    ['mp4', 'mov_text', 'encode encode encode copy'],
    ['mov', 'mov_text', 'encode encode encode copy'],
    ['mkv', 'subrip', 'copy copy copy encode'],
    ['webm', 'webvtt', 'encode encode copy encode'],
    ['ts', undefined, ''],
  ] as const)('in %s include text subtitles as %s', (ext, codec, actions) => {
    expect(containerFormats[ext].subtitleText).toBe(codec);
    const [video] = containerFormats[ext].codecs.video;
    const texts = ['subrip', 'ass', 'webvtt', 'mov_text'].map((name) => `subtitle ${name}`);
    const { tracks: trackPlan } = plan([input(0, `video ${video}`, ...texts)], 'convert_format', ext);
    expect(trackPlan.slice(1).map(({ action }) => action)).toEqual(actions === '' ? [] : actions.split(' '));
  });
});
