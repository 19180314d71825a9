import { nextTitle, type Title } from '../media/titles.ts';
import type { Variant } from './playlist.ts';

const quote = (text: string) => `"${text}"`;

function rendition(type: string, group: string, name: string, language: string, more: Variant['attributes']) {
  return { TYPE: type, 'GROUP-ID': quote(group), NAME: quote(name), LANGUAGE: quote(language), ...more };
}

/**
 * Returns the renditions of a title's master playlist other than the default one of the group `sound`: German and
 * Italian audio in that group and in `sound-low` (lower quality), subtitles, and captions within the video. The audio
 * is that of two other titles.
 *
 * @param soundOf Makes the link of a title's audio. The subtitle links lead to no file.
 */
export function languageRenditions(title: Title, soundOf: (title: Title) => string): Variant['attributes'][] {
  const second = nextTitle(title);
  const sounds = [second, nextTitle(second)].map((each) => ({ URI: quote(soundOf(each)) }));
  const groups = ['sound', 'sound-low'].flatMap((group) => [
    rendition('AUDIO', group, 'Deutsch', 'de', sounds[0] ?? {}),
    rendition('AUDIO', group, 'Italiano', 'it', sounds[1] ?? {}),
  ]);
  return [
    ...groups,
    rendition('SUBTITLES', 'text', 'English', 'en', { URI: quote('subtitles-en.m3u8') }),
    rendition('SUBTITLES', 'text', 'Deutsch', 'de', { URI: quote('subtitles-de.m3u8') }),
    rendition('CLOSED-CAPTIONS', 'captions', 'English', 'en', { 'INSTREAM-ID': '"CC1"' }),
  ];
}
