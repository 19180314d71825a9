import { nextTitle, titleFor } from '../../../media/titles.ts';
import { illustration } from '../../illustrations.ts';
import { mediaLink, pictureHost } from '../links.ts';
import type { Sound } from '../world/sounds.ts';
import { accountNode, type Node } from './accounts.ts';

/** Returns the sound as in a post for visitors: its identity without a file. */
export function soundNote({ kind, id, title, artist }: Sound): Node {
  const original = {
    audio_asset_id: id,
    original_audio_title: title,
    ig_artist: { username: artist.username, id: artist.pk },
    is_explicit: false,
    should_mute_audio: false,
    consumption_info: { should_mute_audio_reason: '', is_trending_in_clips: false },
    audio_filter_infos: null,
  };
  const song = {
    music_asset_info: { display_artist: artist.name, title, audio_cluster_id: id, is_explicit: false },
    music_consumption_info: { should_mute_audio: false, should_mute_audio_reason: '', is_trending_in_clips: false },
  };
  return kind === 'original'
    ? { music_info: null, original_sound_info: original }
    : { music_info: song, original_sound_info: null };
}

/** Returns the sound as in its own page, with its file. */
export function soundMetadata({ kind, id, title, artist, seconds }: Sound): Node {
  const mediaTitle = titleFor(id, seconds);
  const file = mediaLink(pictureHost, 'v/t39.12897-6', mediaTitle, 'sound.m4a');
  const { is_unpublished: _none, ...account } = accountNode(artist);
  const person = { ...account, id: artist.pk, pk_id: artist.pk, is_private: false };
  if (kind === 'original') {
    return {
      music_info: null,
      original_sound_info: {
        audio_asset_id: id,
        original_audio_title: title,
        progressive_download_url: file,
        dash_manifest: null,
        ig_artist: person,
        duration_in_ms: seconds * 1000,
        is_explicit: false,
      },
    };
  }
  return {
    music_info: {
      music_asset_info: {
        audio_asset_id: `${BigInt(id) + 1n}`,
        audio_cluster_id: id,
        id: `${BigInt(id) + 1n}`,
        title,
        display_artist: artist.name,
        is_explicit: false,
        cover_artwork_uri: mediaLink(
          pictureHost,
          'v/t65.14500-21',
          mediaTitle,
          illustration(id, { width: 360, height: 360 }),
        ),
        progressive_download_url: file,
        fast_start_progressive_download_url: file,
        web_30s_preview_download_url: mediaLink(pictureHost, 'v/t39.12897-6', nextTitle(mediaTitle), 'sound.m4a'),
        dash_manifest: null,
        duration_in_ms: seconds * 1000,
        ig_username: artist.username,
      },
      music_consumption_info: { ig_artist: person, is_bookmarked: false },
    },
    original_sound_info: null,
  };
}
