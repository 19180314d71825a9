import { opaqueType, playlistType } from '../contract/inert-media-types.ts';
import { validUrl } from '../contract/parse-url.ts';
import { headersFor } from '../egress/credentials.ts';
import type { PlaylistLink, PlaylistOutline } from './playlist-listing.ts';
import { headersOf, type RelayOrder, subjectsIn } from './relay-link.ts';

/** Playlists that lead to a member: a master playlist and a media playlist. */
const MAX_DEPTH = 2;

/**
 * Returns a function that returns the order of a member of a playlist from its index and link. The order contains all
 * headers of the playlist, because the member may link back to their origin.
 *
 * @param id Identifies the playlist's relay link. Not used if the playlist is itself a member.
 */
export function memberOrders(
  playlist: RelayOrder,
  id: string,
  { counts, digest, isLive, variables }: PlaylistOutline,
): (index: number, link: PlaylistLink) => RelayOrder {
  const { bound: _bound, origin, place: ownPlace, replacedAt: version = 0, variables: _own, ...shared } = playlist;
  const bound = headersOf(playlist);
  const parent = ownPlace ?? (origin === undefined ? undefined : { origin, link: id, version, path: [] });

  function placeOf(index: number): Pick<RelayOrder, 'place' | 'subjects'> {
    if (parent === undefined || parent.path.length === MAX_DEPTH) return subjectsIn(parent?.origin);
    const place = { ...parent, path: [...parent.path, { index, digest }] };
    if (isLive) return { place: { ...place, isLive } };
    return { place: counts.playlist === 0 ? { ...place, count: counts.media } : place };
  }

  return (index, { url, kind }) => {
    const target = validUrl(url);
    return {
      ...shared,
      ...placeOf(index),
      ...(kind === 'playlist' && Object.keys(variables).length > 0 ? { variables } : {}),
      ...(target.origin === bound.origin ? {} : { bound }),
      url,
      mediaType: kind === 'playlist' ? playlistType : opaqueType,
      headers: headersFor(target, bound),
    };
  };
}
