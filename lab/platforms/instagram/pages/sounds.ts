import { type Exchange, sendJson, sendText } from '../../../http/exchange.ts';
import { soundMetadata } from '../shapes/music.ts';
import { appPost } from '../shapes/rest.ts';
import { isOfRelease, isVisitor } from '../visit.ts';
import { findPost } from '../world/posts.ts';
import { findSound, type Sound } from '../world/sounds.ts';
import { sendPage, sendWall } from './walls.ts';

const cursor = 'GsauteCL34_Dm1yGhce0nbnTjVzKjr2L';
const pageReels = 6;

/** Handles `/reels/audio/<id>/`; only the head of the page identifies the sound. */
export function sendSoundPage(exchange: Exchange, sound: Sound): Promise<void> | void {
  const { scenario, artist, title } = sound;
  if (scenario.page === 'gone') return sendWall(exchange, 'gone', 'Audio');
  const tags = {
    title: `${artist.name} | ${title} on Instagram`,
    description: `Listen to ${artist.name} on Instagram and watch reels using ${title} audio`,
    image: 'https://scontent.cdninstagram.com/v/lab.jpg?a=1&b=2',
  };
  return sendPage(exchange, {
    route: 'PolarisClipsAudioRoute',
    ...(scenario.page === 'untitled' ? { tags: { title: 'Instagram' } } : { tags }),
  });
}

/** Handles `/api/v1/clips/music/`: reels with a sound, one page at a time, for clients with a visit's tokens. */
export function answerMusic(exchange: Exchange, form: URLSearchParams): Promise<void> | void {
  const sound = findSound(form.get('original_sound_audio_asset_id') ?? '');
  const api = sound?.scenario.api;
  if (sound === undefined || sound.id !== form.get('audio_cluster_id')) return sendText(exchange, 404, 'Not found.\n');
  if (api === 'too_many') return sendText(exchange, 429, 'Too many requests.\n');
  if (api === 'page') return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
  if (api === 'forbidden' || !isVisitor(exchange, form) || !isOfRelease(form)) {
    return sendJson(exchange, 403, { message: 'login_required', require_login: false, status: 'fail' });
  }
  const second = form.get('max_id') === cursor;
  const reels = api === 'late' && !second ? [] : reelsWith(sound, second);
  const response = {
    items: reels.map((media) => ({ media })),
    paging_info: { max_id: second ? '' : cursor, more_available: !second },
    metadata: soundMetadata(sound),
    media_count: { clips_count: sound.reels, photos_count: 0 },
    formatted_media_count: `${Math.floor(sound.reels / 1000)}K reels`,
    is_music_page_restricted: false,
    ...(sound.kind === 'song' ? { spotify_track_metadata: { spotify_track_id: `lab${sound.id}` } } : {}),
    status: 'ok',
  };
  if (api === 'bare') return sendJson(exchange, 200, response);
  sendText(exchange, 200, `for (;;);${JSON.stringify({ __ar: 1, payload: response })}`, {
    'content-type': 'application/x-javascript; charset=utf-8',
  });
}

function reelsWith(sound: Sound, second: boolean) {
  return Array.from({ length: pageReels }, (_, place) => {
    const post = findPost(`lab-s${sound.id.slice(-2)}${second ? 'b' : 'a'}-${place}r`);
    return post === undefined ? [] : [appPost({ ...post, sound })];
  }).flat();
}
