import { findAccount } from '../world/accounts.ts';
import type { Part, Post } from '../world/posts.ts';
import { accountNode, type Node, portraitOf } from './accounts.ts';
import { manifestOf, picturesOf, progressiveLink } from './files.ts';
import { company, place } from './post.ts';

/** Returns a post as in the older query. */
export function graphPost(post: Post): Node {
  const { scenario, owner, sound } = post;
  const [first] = post.parts;
  return {
    ...bareMembers(post, 'XDT'),
    ...(first === undefined || post.kind === 'carousel' ? {} : richFiles(first)),
    product_type: post.kind === 'reel' ? 'clips' : null,
    owner: {
      ...ownerNode(post),
      is_verified: owner.verified,
      is_private: owner.private,
      edge_followed_by: { count: owner.followers },
      edge_owner_to_timeline_media: { count: owner.posts },
    },
    taken_at_timestamp: post.takenAt,
    like_and_view_counts_disabled: scenario.countsHidden === true,
    edge_media_preview_like: { count: scenario.countsHidden ? -1 : post.likes, edges: [] },
    edge_media_to_parent_comment: {
      count: post.comments,
      page_info: { has_next_page: true, end_cursor: '{"server_cursor": "lab"}' },
      edges: comments(post),
    },
    edge_media_to_tagged_user: { edges: [] },
    is_paid_partnership: scenario.company === true,
    location: scenario.company ? { id: `${place.pk}`, name: place.name, slug: 'lab', address_json: null } : null,
    coauthor_producers: company(post),
    clips_music_attribution_info:
      sound === undefined
        ? null
        : {
            artist_name: sound.artist.username,
            song_name: sound.title,
            uses_original_audio: sound.kind === 'original',
            audio_id: sound.id,
          },
    // Reels count plays; their number of views is always 0.
    ...(post.kind === 'reel' ? { video_play_count: post.plays, video_view_count: 0 } : {}),
    edge_web_media_to_related_media: { edges: [] },
  };
}

/** Returns a post as in the embed page, with little besides its files. */
export function embeddedPost(post: Post): Node {
  return bareMembers(post, '');
}

function bareMembers(post: Post, prefix: 'XDT' | ''): Node {
  const [first] = post.parts;
  const carousel = post.kind === 'carousel';
  const type = carousel ? 'Sidecar' : first?.kind === 'video' ? 'Video' : 'Image';
  return {
    __typename: `${prefix}Graph${type}`,
    id: post.pk,
    shortcode: post.code,
    ...(first === undefined ? {} : bareFiles(first, carousel || post.scenario.embed === 'no_video')),
    ...(carousel ? { is_video: false } : {}),
    owner: ownerNode(post),
    edge_media_to_caption: { edges: [{ node: { text: post.caption } }] },
    ...(carousel
      ? { edge_sidecar_to_children: { edges: post.parts.map((part) => ({ node: child(part, prefix) })) } }
      : {}),
  };
}

function ownerNode({ owner }: Post): Node {
  return { id: owner.pk, username: owner.username, full_name: owner.name, profile_pic_url: portraitOf(owner) };
}

function child(part: Part, prefix: 'XDT' | ''): Node {
  return {
    __typename: `${prefix}Graph${part.kind === 'video' ? 'Video' : 'Image'}`,
    id: `POLARIS_${part.pk}`,
    shortcode: part.code,
    ...bareFiles(part, false),
  };
}

/**
 * Returns the members for the file of an image or video. Images also have the member for the video's file; videos with
 * licensed music do not have it.
 */
function bareFiles(part: Part, withoutFile: boolean): Node {
  const video = part.kind === 'video';
  return {
    is_video: video,
    display_url: picturesOf(part).whole[0]?.url,
    dimensions: { ...part.size },
    ...(withoutFile ? {} : { video_url: video ? progressiveLink(part) : null }),
  };
}

function richFiles(part: Part): Node {
  const { whole } = picturesOf(part);
  const pictures = {
    thumbnail_src: whole[2]?.url,
    display_resources: whole
      .toReversed()
      .map(({ url, width, height }) => ({ src: url, config_width: width, config_height: height })),
    accessibility_caption: null,
  };
  if (part.kind === 'photo') return pictures;
  return {
    ...pictures,
    has_audio: part.hasSound,
    video_duration: part.seconds + 0.05,
    dash_info: {
      is_dash_eligible: true,
      video_dash_manifest: part.post.manifest === undefined ? null : manifestOf(part),
      number_of_qualities: 3,
    },
  };
}

function comments(post: Post): Node[] {
  return Array.from({ length: 3 }, (_, number) => {
    const author = findAccount(`lab.reader${number}`);
    const { pk, username, profile_pic_url, is_verified } = author === undefined ? ({} as Node) : accountNode(author);
    return {
      node: {
        id: `${18_000_000_000_000_000n + BigInt(number)}`,
        text: `Comment ${number} on ${post.code} 👏`,
        created_at: post.takenAt + number,
        owner: { id: pk, username, profile_pic_url, is_verified },
        edge_liked_by: { count: number },
        edge_threaded_comments: { count: 0, page_info: { has_next_page: false, end_cursor: null }, edges: [] },
      },
    };
  });
}
