import { nextTitle, type Title } from '../media/titles.ts';
import type { Rung } from './playlist.ts';

const quoted = (text: string) => `"${text}"`;

function rendition(type: string, group: string, name: string, language: string, more: Rung['attributes']) {
  return { TYPE: type, 'GROUP-ID': quoted(group), NAME: quoted(name), LANGUAGE: quoted(language), ...more };
}

/**
 * Renditions that a title's master playlist offers beside the default one of the group `sound`: the sound of two more
 * titles in that group and in one of a lower quality, subtitles, and captions within the pictures.
 *
 * @param soundOf Makes the link of a title's sound. There are no subtitles behind their links.
 */
export function languageRenditions(title: Title, soundOf: (title: Title) => string): Rung['attributes'][] {
  const second = nextTitle(title);
  const sounds = [second, nextTitle(second)].map((each) => ({ URI: quoted(soundOf(each)) }));
  const groups = ['sound', 'sound-low'].flatMap((group) => [
    rendition('AUDIO', group, 'Deutsch', 'de', sounds[0] ?? {}),
    rendition('AUDIO', group, 'Italiano', 'it', sounds[1] ?? {}),
  ]);
  return [
    ...groups,
    rendition('SUBTITLES', 'text', 'English', 'en', { URI: quoted('subtitles-en.m3u8') }),
    rendition('SUBTITLES', 'text', 'Deutsch', 'de', { URI: quoted('subtitles-de.m3u8') }),
    rendition('CLOSED-CAPTIONS', 'captions', 'English', 'en', { 'INSTREAM-ID': '"CC1"' }),
  ];
}
