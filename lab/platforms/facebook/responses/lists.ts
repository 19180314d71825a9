import { titleOfItem } from '../../headlines.ts';
import { shortCount } from '../../words.ts';
import { pictureLink } from '../links.ts';
import type { QueryResult } from '../page.ts';
import { type Person, personNumbered } from '../world/people.ts';
import { photoAt } from '../world/photos.ts';
import { reelAt } from '../world/videos.ts';
import { wholeFiles } from './delivery.ts';
import { countsNode, reelCounts } from './feedback.ts';
import { photoFile } from './photo.ts';
import { dataId, messageNode, ownerNode, reelStory, storyId } from './video.ts';

/**
 * Lists of a profile that have later pages, with the number of items on the first page and the operation of the later
 * pages.
 */
export const lists = {
  photos: { first: 8, query: 'ProfileCometAppCollectionPhotosRendererPaginationQuery' },
  reels: { first: 10, query: 'ProfileCometAppCollectionReelsRendererPaginationQuery' },
} as const;

export type ListName = keyof typeof lists;

/** Returns a tab with the first page of a list. */
export function listResponse(person: Person, list: ListName): QueryResult {
  const collection = collectionOf(person, list, 0, lists[list].first);
  const node = {
    __typename: 'TimelineAppSection',
    id: dataId('app_section', person.id, list),
    section_type: list.toUpperCase(),
    url: `https://www.facebook.com/${person.vanity}/${list}`,
    all_collections: {
      nodes: [{ id: collection.id, style_renderer: { __typename: 'TimelineAppCollectionRenderer', collection } }],
    },
  };
  return { operation: 'ProfileCometTopAppSectionQuery', data: { node, user: { id: person.id } } };
}

/** Position in a list of a profile. */
export interface ListPlace {
  readonly person: Person;
  readonly list: ListName;
  /** Number of preceding entries. */
  readonly from: number;
}

/** Returns the position at which a later page begins; undefined for a cursor that no page contains. */
export function readPlace(collection: string, cursor: string): ListPlace | undefined {
  const [, id = '', list] =
    /^app_collection:(1000\d{11}):(photos|reels)$/.exec(Buffer.from(collection, 'base64').toString()) ?? [];
  const from = /^AQHS(\d{1,4})lab$/.exec(cursor)?.[1];
  if (from === undefined || (list !== 'photos' && list !== 'reels')) return undefined;
  return { person: personNumbered(id), list, from: Number(from) };
}

/** Returns some entries of a list, and the start of the next page. */
export function collectionOf(person: Person, list: ListName, from: number, limit: number) {
  const end = Math.min(from + limit, person[list]);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, place) => from + place);
  const edges = places.map((place) => ({
    ...edgeAt(person, list, place),
    cursor: cursorAt(place + 1),
  }));
  const more = end < person[list];
  const page = { edges, page_info: { end_cursor: edges.length === 0 ? null : cursorAt(end), has_next_page: more } };
  const id = dataId('app_collection', person.id, list);
  return { id, [list === 'photos' ? 'pageItems' : 'aggregated_fb_shorts']: page };
}

/** Returns an entry of a list. Every second entry of a profile with unknown entries has a kind that no parser knows. */
function edgeAt(person: Person, list: ListName, place: number): Record<string, unknown> {
  if (person.unknown === 'some' && place % 2 === 1) {
    return { node: { __typename: 'XFBLabHologram', hologram: { id: `${place}` } } };
  }
  return list === 'photos' ? photoEdge(person, place) : reelEdge(person, place);
}

/** Returns the deferred part of a reel in a list: its counts. */
export function lateCounts(person: Person, place: number): Record<string, unknown> {
  return reelCounts(reelAt(person, place).postId);
}

function cursorAt(place: number): string {
  return `AQHS${place}lab`;
}

function photoEdge(person: Person, place: number): Record<string, unknown> {
  const photo = photoAt(person, place);
  const uri = photoFile(photo, photo.height);
  return {
    node: {
      __typename: 'TimelineAppCollectionItem',
      id: dataId('app_item', person.id, photo.id),
      node: {
        __typename: 'Photo',
        id: photo.id,
        accessibility_caption: photo.caption,
        immersive_photo_encodings: [],
        viewer_image: { uri, width: photo.height === 1080 ? 1920 : 1280, height: photo.height },
      },
      image: { uri: photoFile(photo, 360) },
      url: `https://www.facebook.com/photo.php?fbid=${photo.id}&set=pb.${person.id}.-2207520000&type=3`,
    },
  };
}

function reelEdge(person: Person, place: number): Record<string, unknown> {
  const video = reelAt(person, place);
  const { privacy_scope: _private, short_form_video_context: context, ...story } = reelStory(video);
  const playCount = { play_count_reduced: shortCount(video.plays) };
  const { url: _absent, ...owner } = ownerNode(video);
  const media = {
    __typename: 'Video',
    id: video.id,
    created_time: video.created,
    length_in_second: video.seconds,
    playable_duration_in_ms: video.seconds * 1000,
    ...playCount,
    thumbnailImage: { uri: pictureLink(video.id, 1280, 720) },
    owner,
  };
  const node = { __typename: 'Story', ...story, actors: [ownerNode(video)], attachments: [{ media }] };
  const feedContext = { ...(context as object), ...playCount };
  return { profile_reel_node: { id: `wrapper${place}`, node: { ...node, short_form_video_context: feedContext } } };
}

/**
 * Returns the videos tab, which has exact counts and titles: a main result without videos, and deferred parts, each of
 * which has a list.
 */
export function videosResponses(person: Person): QueryResult[] {
  const operation = 'CometProfilePlusVideosRootQuery';
  const id = person.pageId ?? person.id;
  const nodes = Array.from({ length: person.reels }, (_, place) => videoNode(person, place));
  const part = (card: string, data: Record<string, unknown>): QueryResult => ({
    operation,
    label: `${operation}$defer$${card}`,
    path: ['page'],
    data: { ...data, id },
  });
  const listOf = (videos: readonly unknown[]) => ({
    edges: videos.map((node, place) => ({ node, cursor: cursorAt(place + 1) })),
    page_info: { end_cursor: cursorAt(videos.length), has_next_page: false },
  });
  return [
    { operation, data: { page: { currently_live_video: null, id } } },
    part('CometChannelTabLatestVideosCard_page', { latest_videos: listOf(nodes.slice(0, 2)) }),
    part('CometProfilePlusAllVideosCard_page', {
      owned_videos: { nodes: nodes.slice(0, 1).map((node) => ({ id: node.id })) },
      all_videos: listOf(
        nodes.map((node) => ({
          __typename: 'Video',
          id: node.id,
          channel_tab_thumbnail_renderer: {
            __typename: 'ChannelTabVideoThumbnailWithReactionsRenderer',
            video: node,
          },
        })),
      ),
    }),
  ];
}

function videoNode(person: Person, place: number): Record<string, unknown> {
  const video = reelAt(person, place);
  const { id } = video;
  const title = { text: titleOfItem(id) };
  const { hd } = wholeFiles(video);
  return {
    __typename: 'Video',
    id,
    owner: { __typename: 'User', id: person.id },
    image: { uri: pictureLink(video.id, 1280, 720) },
    canonical_uri_with_fallback: `https://www.facebook.com/${person.vanity}/videos/lab-video/${id}/`,
    publish_time: video.created,
    play_count: video.plays,
    savable_title: title,
    video_thumbnail_overlays_renderer: {
      __typename: 'VideoHomeVideoThumbnailOverlaysDefaultRenderer',
      video: { id, playable_duration_in_ms: video.seconds * 1000, broadcast_status: null },
    },
    creation_story: {
      id: storyId(video),
      message: messageNode(video),
      attachments: [
        {
          style_list: ['video_inline', 'video', 'fallback'],
          target: { __typename: 'Video', id, video_title: title, width: 1920, height: 1080, playable_url: hd },
          all_subattachments: { nodes: [] },
        },
      ],
    },
    feedback: countsNode(video.postId),
  };
}
