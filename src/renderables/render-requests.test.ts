import { describe, expect, it } from 'vitest';
import type { SourceMedia, SourceStream } from '../contract/source-media.ts';
import { plans } from '../contract/subscription-plans.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { additionsOf } from './file-additions.ts';
import type { RenderOptions } from './render-options.ts';
import { type PostContext, type SelectedRenderable, selectRenderables } from './select-renderables.ts';
import { slideshowOf } from './slideshow.ts';
import { formatsRequested } from './testing/formats-requested.ts';

const MB = 1_000_000;
const rules = { matches: (label: string, format: string) => label === format, audio: false };

function media(name: string, stream: Partial<SourceStream>, facts: Record<string, unknown> = {}): SourceMedia {
  const full: SourceStream = { ext: 'mp4', kind: 'muxed', ...stream };
  const [width, height] = full.kind === 'audio' ? [0, 0] : [1280, 720];
  const metadata = { mime_type: 'x/y', width, height, has_audio: full.kind !== 'video', ...facts };
  const label = full.kind === 'audio' ? name : '720p';
  return { item: { label, url: `https://cdn.example/${name}`, repId: name, metadata }, stream: full };
}

const silent = media('silent', { kind: 'video', videoCodec: 'h264', bytes: 600 * MB }, { duration: 600 });
const aac = (name: string, stream: Partial<SourceStream> = {}) =>
  media(name, { kind: 'audio', ext: 'm4a', audioCodec: 'aac', bitrate: 128, ...stream });
const opus = (name: string, stream: Partial<SourceStream> = {}) =>
  media(name, { kind: 'audio', ext: 'webm', audioCodec: 'opus', bitrate: 160, ...stream });
const dubbed: ContentMedia = {
  videos: [silent],
  audios: [
    aac('en', { language: 'en-US' }),
    opus('en-opus', { language: 'en-US' }),
    aac('de-described', { language: 'de-DE', versionRank: 8, secondary: true, bitrate: 256 }),
    aac('de', { language: 'de-DE', versionRank: 2, secondary: true }),
    opus('de-opus', { language: 'de-DE', versionRank: 2, secondary: true }),
  ],
};

function select(content: ContentMedia, options: Partial<RenderOptions>, post: PostContext = {}, plan = plans.MEGA) {
  return selectRenderables(content, formatsRequested(options.formats, options), plan, rules, post);
}

/** Returns the names of the inputs of a file, its extension and its operation; the error of others. */
function jobOf(item: SelectedRenderable | undefined) {
  if (item === undefined || 'error' in item) return item?.error;
  const { inputs, output, operation } = item.job;
  const copied = operation.copyStreams === false ? 'encoded' : 'copied';
  return [inputs.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)).join(), output.ext, operation.type, copied];
}

describe('requested audio formats', () => {
  const audioOf = (format: RenderOptions['audioFormats'][number], content = dubbed, others = {}) =>
    jobOf(select(content, { audioFormats: [format], ...others }).audios[0]);

  it.each([
    ['mp3', ['en-opus', 'mp3', 'extract_audio', 'encoded']],
    ['m4a', ['en', 'm4a', 'no_process', 'copied']],
    ['opus', ['en-opus', 'opus', 'extract_audio', 'copied']],
    ['flac', ['en-opus', 'flac', 'extract_audio', 'encoded']],
    ['wav', ['en-opus', 'wav', 'extract_audio', 'encoded']],
    ['original', ['en-opus', 'opus', 'extract_audio', 'copied']],
  ] as const)('%s is made from the original audio, copied if its codec fits', (format, job) => {
    expect(audioOf(format)).toEqual(job);
  });

  it.each([
    ['original', 'audio/ogg; codecs="opus"'],
    ['opus', 'audio/ogg; codecs="opus"'],
    ['flac', 'audio/flac'],
  ] as const)('%s states a media type that tells its extension', (format, type) => {
    const [item] = select(dubbed, { audioFormats: [format] }).audios;
    expect(item).toHaveProperty('metadata.mime_type', type);
  });

  it('are made from a video if it has the only audio', () => {
    const content = { videos: [media('whole', { audioCodec: 'aac' })] };
    expect(audioOf('m4a', content)).toEqual(['whole', 'm4a', 'extract_audio', 'copied']);
    expect(audioOf('mp3', content)).toEqual(['whole', 'mp3', 'extract_audio', 'encoded']);
  });

  it.each([
    ['vorbis', 'webm', 'ogg'],
    ['mp3', 'mp3', 'mp3'],
    ['aac', 'm3u8', 'm4a'],
    ['flac', 'mp4', 'flac'],
  ])('copy %s for original', (audioCodec, ext, container) => {
    const [, actual, , copied] = audioOf('original', { audios: [aac('sound', { audioCodec, ext })] }) ?? [];
    expect([actual, copied]).toEqual([container, 'copied']);
  });

  it('have the requested bit rate if they are lossy, and are then encoded', () => {
    const content = { audios: [media('song', { kind: 'audio', ext: 'mp3', audioCodec: 'mp3' })] };
    const { audios } = select(content, { audioFormats: ['mp3', 'flac', 'original'], audioBitrate: 192 });
    expect(audios.map((item) => 'job' in item && item.job.operation)).toEqual([
      { type: 'extract_audio', copyStreams: false, audioBitrate: 192 },
      { type: 'extract_audio', copyStreams: false },
      { type: 'no_process', copyStreams: true },
    ]);
  });

  it('have errors if there is no audio, or if its codec has no container', () => {
    expect(audioOf('mp3', { videos: [silent] })).toMatch(/^Unavailable: this content has no audio/);
    expect(audioOf('original', { audios: [aac('sound', { audioCodec: 'dts' })] })).toMatch(/^Unavailable: .* copied/);
  });

  it('count towards the plan after the videos', () => {
    const options = { formats: ['720p', 'lowres'], audioFormats: ['mp3', 'm4a'] } as const;
    const { videos, audios } = select(dubbed, options, {}, plans.PRO);
    expect([...videos, ...audios].map((item) => 'error' in item && item.error.split(':')[0])).toEqual([
      ...[false, false, false],
      'Beyond the plan renderable count',
    ]);
  });
});

describe('requested languages', () => {
  const videoIn = (audioLanguages: string[], content = dubbed) =>
    jobOf(select(content, { formats: ['720p'], audioLanguages }).videos[0]);

  it('choose the audio of videos, and each becomes a track', () => {
    expect(videoIn(['de'])).toEqual(['silent,de', 'mp4', 'join_streams', 'copied']);
    expect(videoIn(['de', 'en'])).toEqual(['silent,de,en', 'mp4', 'join_streams', 'copied']);
    expect(videoIn([])).toEqual(['silent,en', 'mp4', 'join_streams', 'copied']);
  });

  it('are stated in the inputs, also if none was requested', () => {
    const [item] = select(dubbed, { formats: ['720p'] }).videos;
    expect(item).toMatchObject({ job: { inputs: [{ ext: 'mp4' }, { language: 'en-US' }] } });
  });

  it('replace the audio of a video that contains another language', () => {
    const content = { ...dubbed, videos: [media('whole', { language: 'en-US', audioCodec: 'aac' })] };
    expect(videoIn(['de'], content)).toEqual(['whole,de', 'mp4', 'replace_audio_in_video', 'copied']);
    expect(videoIn(['en'], content)).toEqual(['whole', 'mp4', 'no_process', 'copied']);
    expect(videoIn(['en', 'de'], content)).toMatch(/^Unavailable: no video/);
  });

  it('choose the tracks of audio files, if the container can have several', () => {
    const audioFormats = ['m4a', 'original', 'mp3'] as const;
    expect(select(dubbed, { audioFormats, audioLanguages: ['de'] }).audios.map(jobOf)).toEqual([
      ['de', 'm4a', 'no_process', 'copied'],
      ['de-opus', 'opus', 'extract_audio', 'copied'],
      ['de-opus', 'mp3', 'extract_audio', 'encoded'],
    ]);
    expect(select(dubbed, { audioFormats, audioLanguages: ['de', 'en'] }).audios.map(jobOf)).toEqual([
      ['de,en', 'm4a', 'join_streams', 'copied'],
      ['de-opus,en-opus', 'ogg', 'join_streams', 'copied'],
      'Unavailable: mp3 files have only one audio track. Request one language, or m4a.',
    ]);
  });

  it('have an error that lists the available ones', () => {
    const error = 'Unavailable: audio in fr; available: en-US, de-DE.';
    const { videos, audios } = select(dubbed, {
      formats: ['720p', 'all'],
      audioFormats: ['mp3'],
      audioLanguages: ['fr'],
    });
    expect([...videos, ...audios]).toEqual(['720p', 'all', 'mp3'].map((label) => ({ label, error })));
    expect(videoIn(['fr'], { videos: [media('whole', {})] })).toMatch(/does not state the language/);
    expect(videoIn(['fr'], { videos: [silent] })).toMatch(/^Unavailable: audio in fr; this content has no audio/);
  });
});

describe('a clip', () => {
  const clip = { start: 60, end: 120 };

  it('is part of every job, which then processes its file', () => {
    const content = { videos: [media('whole', { audioCodec: 'aac', bytes: 100 * MB }, { duration: 600 })] };
    const { videos } = select(content, { formats: ['720p'], clip });
    expect(videos).toMatchObject([
      { job: { clip, operation: { type: 'convert_format', copyStreams: true } }, estimatedBytes: 10 * MB },
    ]);
    expect(videos[0]).not.toHaveProperty('metadata.content_length');
  });

  it('is compared with the plan by its share of the media', () => {
    const isReady = (options: Partial<RenderOptions>) =>
      select(dubbed, { formats: ['720p'], ...options }, {}, plans.BASIC).videos.map((item) => !('error' in item));
    expect(isReady({})).toEqual([false]);
    expect(isReady({ clip })).toEqual([true]);
    expect(isReady({ clip: { start: 0, end: 599 } })).toEqual([false]);
  });

  it('has an error with the duration if it starts after the end', () => {
    const error = 'Out of range: the clip starts at 600 s, but the media ends at 600 s.';
    const { videos, audios } = select(dubbed, { formats: ['720p'], audioFormats: ['mp3'], clip: { start: 600 } });
    expect([...videos, ...audios]).toEqual([
      { label: '720p', error },
      { label: 'mp3', error },
    ]);
  });
});

describe('a maximum size', () => {
  it('applies to videos and lossy audio, which are encoded', () => {
    const { videos, audios } = select(dubbed, { formats: ['720p'], audioFormats: ['m4a', 'flac'], maxSize: 8 * MB });
    expect([...videos, ...audios].map((item) => 'job' in item && item.job)).toMatchObject([
      { output: { maxSize: 8 * MB }, operation: { type: 'join_streams', copyStreams: false } },
      { output: { maxSize: 8 * MB }, operation: { type: 'convert_format', copyStreams: false } },
      { output: { ext: 'flac' }, operation: { copyStreams: false } },
    ]);
    expect(audios[1]).not.toHaveProperty('job.output.maxSize');
  });

  it('leaves files alone that are certain to be smaller', () => {
    const content = { ...dubbed, audios: [aac('en', { language: 'en-US', bytes: MB })] };
    const [item] = select(content, { formats: ['720p'], maxSize: 4000 * MB }).videos;
    expect(item).toMatchObject({ job: { operation: { copyStreams: true } } });
    expect(item).not.toHaveProperty('job.output.maxSize');
  });
});

describe('additions', () => {
  const metadata = {
    title: 'First line\nsecond line',
    author: { name: 'Lab', username: 'lab' },
    additionalData: {
      url: 'https://site.example/1',
      publishedAt: '2026-11-26T10:00:00Z',
      caption: 'First line\nsecond line',
      chapters: [
        { title: 'Second', startMs: 1500 },
        { title: 'First', startMs: 0 },
      ],
      thumbnails: [
        { url: 'https://site.example/small.jpg', width: 120, height: 90 },
        { url: 'https://site.example/large.webp', width: 1280, height: 720 },
        { url: 'https://site.example/large.jpg', width: 1280, height: 720 },
      ],
    },
  };

  it('have the requested tags in place of those of the post', () => {
    const tags = { title: 'Another title', album: 'An album' };
    expect(additionsOf(metadata, {}, { embed: new Set(['metadata']), tags }).metadata).toMatchObject({
      ...tags,
      artist: 'Lab',
    });
    expect(additionsOf(metadata, {}, { embed: new Set(), tags })).toEqual({});
  });

  it('are the tags, the chapters and the cover of the post', () => {
    expect(additionsOf(metadata, {}, { embed: new Set(['metadata', 'chapters', 'cover']) })).toEqual({
      metadata: {
        title: 'First line',
        artist: 'Lab',
        date: '2026-11-26',
        description: 'First line\nsecond line',
        url: 'https://site.example/1',
      },
      chapters: [
        { start: 0, title: 'First' },
        { start: 1.5, title: 'Second' },
      ],
      cover: { url: 'https://site.example/large.jpg' },
    });
    expect(additionsOf(metadata, {}, { embed: new Set() })).toEqual({});
  });

  it('turn unchanged files into copies, which have subtitles only if they have video', () => {
    const content = { videos: [media('whole', { audioCodec: 'aac' })], audios: [aac('sound')] };
    const subtitles = [{ url: 'https://site.example/de.vtt', format: 'vtt' as const, language: 'de' }];
    const additions = { metadata: { title: 'Title' }, subtitles };
    const { videos, audios } = select(content, { formats: ['720p'], audioFormats: ['m4a'] }, { additions });
    expect([...videos, ...audios].map((item) => 'job' in item && item.job)).toMatchObject([
      { output: additions, operation: { type: 'convert_format' } },
      { output: { metadata: { title: 'Title' } }, operation: { type: 'convert_format' } },
    ]);
    expect(audios[0]).not.toHaveProperty('job.output.subtitles');
  });
});

describe('a slideshow', () => {
  const image = (name: string): SourceMedia => ({
    item: {
      label: name,
      url: `https://cdn.example/${name}`,
      repId: name,
      metadata: { mime_type: 'image/webp', width: 1080, height: 1350, has_audio: false },
    },
  });
  const slideshow = (contents: ContentMedia[], index: number, several: boolean, sound?: SourceMedia) =>
    jobOf(slideshowOf(contents, index, several, sound));
  const inputsOf = (job: ReturnType<typeof jobOf>) => (typeof job === 'object' ? job[0] : job);

  it('has the images in order, and the sound that plays with them', () => {
    const sounds = [aac('song', { secondary: true }), aac('soundtrack')];
    const post = { images: [image('1'), image('2')], audios: sounds };
    expect(slideshow([post], 0, true)).toEqual(['1,2,soundtrack', 'mp4', 'slideshow', 'copied']);
  });

  it('has one image of each content item if its images are sizes of one', () => {
    const contents = [{ images: [image('1'), image('1-small')] }, { images: [image('2')] }];
    expect(inputsOf(slideshow(contents, 0, false, aac('music')))).toBe('1,2,music');
    expect(slideshow(contents, 1, false)).toBeUndefined();
  });

  it('has an image that is listed twice once', () => {
    const contents = [{ images: [image('1')] }, { images: [image('1')] }, { images: [image('2')] }];
    expect(inputsOf(slideshow(contents, 0, false))).toBe('1,2');
  });

  it('does not have the audio of the videos of its post', () => {
    const contents = [{ images: [image('1')] }, dubbed];
    expect(inputsOf(slideshow(contents, 0, false))).toBe('1');
    expect(inputsOf(slideshow(contents, 0, false, aac('music')))).toBe('1,music');
  });

  it('states the size of its largest image, within 1920 pixels', () => {
    const sized = (width: number, height: number): SourceMedia => {
      const { item } = image(`${width}`);
      return { item: { ...item, metadata: { ...item.metadata, width, height } } };
    };
    const sizeOf = (...images: SourceMedia[]) => {
      const item = slideshowOf([{ images }], 0, true, undefined);
      return item === undefined || 'error' in item ? item : [item.metadata.width, item.metadata.height];
    };
    expect(sizeOf(sized(0, 0), sized(640, 360), sized(1080, 1350))).toEqual([1080, 1350]);
    expect(sizeOf(sized(4000, 3000))).toEqual([1920, 1440]);
    expect(sizeOf(sized(0, 0))).toEqual([0, 0]);
  });

  it('counts towards the plan, also for the contents whose item another content has', () => {
    const { videos, audios } = selectRenderables(
      dubbed,
      formatsRequested(['slideshow', '720p'], { audioFormats: ['mp3'] }),
      plans.BASIC,
      rules,
    );
    const beyond = expect.stringMatching(/^Beyond the plan renderable count/);
    expect([...videos, ...audios]).toEqual(['720p', 'mp3'].map((label) => ({ label, error: beyond })));
  });

  it('has no item in a content whose clip is out of range', () => {
    const clip = { start: 700 };
    const { videos } = selectRenderables(dubbed, formatsRequested(['720p', 'slideshow'], { clip }), plans.MEGA, rules);
    expect(videos.map(({ label }) => label)).toEqual(['720p']);
  });

  it('has an error if the post has no images or too many', () => {
    const images = Array.from({ length: 41 }, (_, at) => image(`${at}`));
    expect(slideshow([{ ...dubbed, images: [image('thumbnail')] }], 0, false)).toMatch(/no images/);
    expect(slideshow([{ images }], 0, true)).toMatch(/41 images/);
  });
});
