import { queryParameter } from '../../../contract/query-parameters.ts';
import type { SourceMedia } from '../../../contract/source-media.ts';
import { count, defined, type Fields, flag, text } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import type { MediaAccess } from './media-access.ts';
import { expiryOf, expiryText, mediaUrl } from './media-links.ts';

/** A sound of a post. */
export interface Sound {
  readonly url: string;
  readonly repId: string;
  readonly label: string;
  /** Absent if the link does not name the file type. */
  readonly format?: SoundFormat;
  /** Whether another sound is played with the post. */
  readonly secondary: boolean;
  /** Members of the music that also describe this file. */
  readonly facts: Fields;
}

/** The file formats of sounds. */
type SoundFormat = 'mp3' | 'm4a';

const formats = {
  mp3: { mimeType: 'audio/mpeg', codec: 'mp3' },
  m4a: { mimeType: 'audio/mp4', codec: 'aac' },
} as const;

/** File formats by the links' `mime_type` parameter. */
const formatsByType: Readonly<Record<string, SoundFormat>> = { audio_mpeg: 'mp3', audio_mp4: 'm4a' };

/**
 * Returns the sounds of a post: its music, or its original sound, which the site stores in the same way. A photo post
 * may have an excerpt that plays with the photos, in the member that other posts use for their video. The excerpt comes
 * first.
 */
export function readSounds(item: Fields, music: Fields, video: Fields): Sound[] {
  const facts = musicFacts(music);
  const whole = mediaUrl(music.playUrl);
  const isVideo = item.imagePost === undefined;
  const part = isVideo ? undefined : mediaUrl(video.playAddr);
  const name = [text(music.title), text(music.authorName)].filter((word) => word !== undefined).join(' - ');
  const label = name === '' ? 'music' : name;
  return [
    ...(part === undefined
      ? []
      : [sound({ url: part, repId: 'soundtrack', label: 'soundtrack', secondary: false, facts: {} })]),
    ...(whole === undefined || whole === part
      ? []
      : [
          sound({
            url: whole,
            repId: musicId(music) ?? 'music',
            label,
            secondary: part !== undefined || isVideo,
            facts,
          }),
        ]),
  ];
}

/** Returns the format of a sound file, from its first bytes and the server's content type. */
export function formatOfFile(firstBytes: string, contentType: unknown): SoundFormat | undefined {
  if (firstBytes.slice(4, 8) === 'ftyp') return 'm4a';
  if (firstBytes.startsWith('ID3')) return 'mp3';
  const type = String(contentType ?? '').toLowerCase();
  if (/^audio\/(?:mpeg|mp3)/.test(type)) return 'mp3';
  return /^audio\/(?:mp4|x-m4a|aac)/.test(type) ? 'm4a' : undefined;
}

/** Returns a sound as a media item. A file of an unknown format can be downloaded but not rendered. */
export function soundMedia({ url, repId, label, format, secondary, facts }: Sound, access: MediaAccess): SourceMedia {
  const extras = { ...facts, ...defined({ expires_at: expiryText(url) }) };
  const accessRules = access.of(url);
  const streamBase = { kind: 'audio', ...accessRules, ...defined({ expiresAt: expiryOf(url) }) } as const;
  const base = { width: 0, height: 0, has_audio: true };
  if (format === undefined) {
    const item = { label, url, repId, metadata: { mime_type: 'application/octet-stream', ...base, ...extras } };
    return accessRules === undefined ? { item } : { item, stream: { ext: 'bin', ...streamBase } };
  }
  const { mimeType, codec } = formats[format];
  return {
    item: { label, url, repId, metadata: { mime_type: mimeType, ...base, codec, ...extras } },
    stream: { ext: format, audioCodec: codec, ...streamBase, ...defined({ secondary: secondary || undefined }) },
  };
}

function sound(facts: Omit<Sound, 'format'>): Sound {
  const mimeType = queryParameter(parseSiteUrl(facts.url), 'mime_type') ?? '';
  const format = Object.hasOwn(formatsByType, mimeType) ? formatsByType[mimeType] : undefined;
  return { ...facts, ...(format === undefined ? {} : { format }) };
}

/** Returns the ID of the music, which no other sound of a post has. */
function musicId({ id }: Fields): string | undefined {
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
}

/** Returns the site's data about a post's music. */
export function musicFacts(music: Fields): Record<string, unknown> {
  return defined({
    id: text(music.id),
    title: text(music.title),
    author: text(music.authorName),
    album: text(music.album),
    duration: count(music.duration),
    original: flag(music.original),
    coverUrl: mediaUrl(music.coverLarge) ?? mediaUrl(music.coverMedium) ?? mediaUrl(music.coverThumb),
  });
}
