import { describe, expect, test } from 'vitest';
import { parseLink } from '../command-line/link-argument.ts';
import { parametersFor, readFileShape } from './file-options.ts';

/** Returns the parameters of options, as texts. */
function parametersOf(values: Parameters<typeof readFileShape>[0]): Record<string, string> {
  const { parameters } = readFileShape(values, false);
  return Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
}

describe('options of a file', () => {
  test('are no parameters by default, so the service decides', () => {
    expect(readFileShape({}, false)).toEqual({ quality: undefined, parameters: {} });
    expect(readFileShape({ quality: '720p' }, false)).toEqual({ quality: '720p', parameters: {} });
  });

  test.each([
    [{ audio: 'mp3' }, { renderableAudios: 'mp3', embed: 'metadata,chapters,cover' }],
    [
      { audio: 'opus', 'audio-bitrate': '96', embed: 'none' },
      { renderableAudios: 'opus', renderableAudioBitrate: '96', embed: 'none' },
    ],
    [
      { quality: 'audio', clip: '90-' },
      { renderableAudios: 'original', clip: '90-', embed: 'metadata,chapters,cover' },
    ],
    [
      { quality: '1080p', clip: '1:00-1:30', subtitles: 'en, de,en' },
      { clip: '1:00-1:30', embed: 'metadata,chapters,subtitles', subtitleLanguages: 'en,de' },
    ],
    [
      { embed: 'cover', subtitles: 'fr' },
      { embed: 'cover,subtitles', subtitleLanguages: 'fr' },
    ],
    [{ embed: 'subtitles' }, { embed: 'subtitles' }],
    [
      { 'max-size': '8MB', 'audio-language': 'de' },
      { maxSize: '8000000', audioLanguage: 'de' },
    ],
  ])('%j become the parameters of the service', (values, parameters) => {
    expect(parametersOf(values)).toEqual(parameters);
  });

  test('select the quality of the file', () => {
    expect(readFileShape({ slideshow: true }, false).quality).toBe('slideshow');
    expect(readFileShape({ audio: 'mp3' }, false)).toMatchObject({ quality: 'audio', audioFormat: 'mp3' });
    expect(readFileShape({ quality: 'audio' }, false)).toEqual({ quality: 'audio', parameters: {} });
  });

  test('leave subtitles out of the file if they are only saved separately', () => {
    const { parameters } = readFileShape({ embed: 'none', subtitles: 'en' }, true);
    expect(parameters).toEqual({ embed: { value: 'none', option: 'embed' } });
    const audio = readFileShape({ audio: 'mp3', subtitles: 'en' }, true).parameters;
    expect(audio).toMatchObject({ embed: { value: 'metadata,chapters,cover' } });
    expect(audio).not.toHaveProperty('subtitleLanguages');
  });

  test.each([
    [{ audio: 'mp3', quality: '720p' }, '--audio cannot be combined with --quality.'],
    [{ slideshow: true, audio: 'mp3' }, '--slideshow cannot be combined with --audio.'],
    [{ slideshow: true, quality: 'best' }, '--slideshow cannot be combined with --quality.'],
    [{ 'audio-bitrate': '31' }, '--audio-bitrate must be a whole number of at least 32'],
    [{ 'audio-bitrate': '321' }, '--audio-bitrate must be at most 320, not 321.'],
    [{ 'max-size': '1kB' }, '--max-size must be from 65.54 KB to 5.00 GB, not 1kB.'],
    [{ 'max-size': 'small' }, '--max-size must be a size'],
    [{ embed: 'lyrics' }, '--embed must list some of metadata, chapters, cover, subtitles, or be none.'],
    [{ embed: 'none,cover' }, '--embed must list some of'],
    [{ embed: 'none', subtitles: 'en' }, '--subtitles cannot be combined with --embed none.'],
    [{ subtitles: ' , ' }, '--subtitles must list languages, such as en,de.'],
    [{ 'audio-bitrate': '128' }, '--audio-bitrate needs --audio mp3, m4a or opus.'],
    [{ 'audio-bitrate': '128', quality: 'audio' }, '--audio-bitrate needs --audio mp3, m4a or opus.'],
    [{ 'max-size': '8MB', quality: 'audio' }, '--max-size needs --audio mp3, m4a or opus.'],
    [{ 'max-size': '8MB', audio: 'flac' }, '--max-size needs --audio mp3, m4a or opus.'],
    [{ audio: 'mp3', subtitles: 'en' }, 'Audio files cannot contain subtitles. Add --write-subtitles'],
    [{ quality: 'audio', subtitles: 'en' }, 'Audio files cannot contain subtitles. Add --write-subtitles'],
    [{ audio: 'mp3', embed: 'cover,subtitles' }, 'Audio files cannot contain subtitles. Leave them out of --embed.'],
    [{ clip: '20-10' }, '--clip 20-10 must end after it starts.'],
    [{ clip: 'intro' }, '--clip intro is not a range such as 90-150'],
    [{ 'audio-language': '' }, '--audio-language must list languages'],
  ])('%j are refused', (values, message) => {
    expect(() => readFileShape(values, false)).toThrow(message);
  });
});

describe('parametersFor', () => {
  const link = parseLink('https://www.youtube.com/watch?v=lab-plain30');
  const table = { p1: { 'video/details': { required: {}, optional: { clip: 'text' } } } } as const;

  test('returns the parameters that the endpoint accepts', () => {
    expect(parametersFor(link, readFileShape({ clip: '1-2' }, false), table)).toEqual({ clip: '1-2' });
  });

  test('refuses an option that the endpoint does not have', () => {
    expect(() => parametersFor(link, readFileShape({ 'max-size': '8MB' }, false), table)).toThrow(
      '--max-size cannot be used with this link. Leave it out.',
    );
  });
});

test.each([
  [{ 'embed-cover': true }, 'metadata,chapters,cover'],
  [{ 'no-embed': true }, 'none'],
  [{ 'no-embed': true, 'embed-chapters': true }, 'chapters'],
  [{ embed: 'cover', 'embed-subs': true }, 'cover,subtitles'],
  [{ audio: 'mp3', 'embed-metadata': true }, 'metadata,chapters,cover'],
] as const)('%j embeds %s', (values, embed) => {
  expect(readFileShape(values, false).parameters.embed?.value).toBe(embed);
});

test('--no-embed and --embed exclude each other', () => {
  expect(() => readFileShape({ 'no-embed': true, embed: 'cover' }, false)).toThrow('Leave one of them out');
});

test.each([
  [{ quality: 'bv*+ba/b' }, { quality: 'best' }],
  [{ quality: 'ba[ext=m4a]/ba' }, { quality: 'audio', audioFormat: 'm4a' }],
  [
    { audio: 'original', output: 'x.mp3' },
    { quality: 'audio', audioFormat: 'mp3' },
  ],
  [{ output: 'x.flac' }, { quality: 'audio', audioFormat: 'flac' }],
  [{ output: 'x.jpg' }, { quality: 'image' }],
  [{ quality: '<=720p' }, { quality: '<=720p', wishes: [expect.anything()] }],
])('%j is the shape %j', (values, shape) => {
  expect(readFileShape(values, false)).toMatchObject(shape);
});
