import { defined, text } from '../../../parsing/values.ts';
import { expiryMetadata, expiryOf } from '../../meta-cdn.ts';
import type { SourceSound } from '../../platform.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';

import { type Music, subjectsOfMusic } from './music.ts';

/**
 * Returns the music of a post of images as a media item, or undefined if the site lists no file. All recorded links are
 * those of MP4 files with AAC (to 2026-10); a link to an MP3 is recognised by its extension.
 */
export function soundMedia(music: Music = {}): SourceSound | undefined {
  const url = httpSiteUrl(music.url);
  if (url === undefined) return undefined;
  const isMp3 = parseSiteUrl(url)?.pathname.toLowerCase().endsWith('.mp3') === true;
  const duration = typeof music.duration === 'number' ? music.duration : undefined;
  return {
    subjects: subjectsOfMusic(music),
    item: {
      label: [text(music.title), text(music.artist)].filter((word) => word !== undefined).join(' - ') || 'music',
      url,
      repId: 'music',
      metadata: {
        mime_type: isMp3 ? 'audio/mpeg' : 'audio/mp4',
        width: 0,
        height: 0,
        has_audio: true,
        ...defined({ duration }),
        ...expiryMetadata(url),
      },
    },
    stream: {
      ext: isMp3 ? 'mp3' : 'm4a',
      kind: 'audio',
      audioCodec: isMp3 ? 'mp3' : 'aac',
      ...defined({ expiresAt: expiryOf(url) }),
    },
  };
}
