import type { Account } from '../world/accounts.ts';
import type { Part, Post } from '../world/posts.ts';
import { accountNode, type Node, portraitOf } from './accounts.ts';
import { manifestOf, picturesOf, progressiveLink } from './files.ts';
import { soundNote } from './music.ts';
import { commentNodes, commonMembers, company, mediaType, partMembers, productType } from './post.ts';

const typenames = {
  photo: 'XIGPolarisImageMedia',
  video: 'XIGPolarisVideoMedia',
  reel: 'XIGPolarisVideoMedia',
  carousel: 'XIGPolarisCarouselMedia',
} as const;

/** Returns a post as in pages for signed-out visitors since 2026, including the owner's latest posts. */
export function polarisPost(post: Post, latest: readonly Post[]): Node {
  const { scenario } = post;
  const outer = { __typename: typenames[post.kind], pk: post.pk, code: post.code, id: `POLARIS_${post.pk}` };
  if (scenario.gated) {
    return { ...outer, if_not_gated_logged_out: null, gating_ruling: { __typename: 'XIGGatingRuling' } };
  }
  const comments = scenario.comments ? commentNodes(post, 'XIGComment') : [];
  return {
    ...outer,
    if_not_gated_logged_out: { ...outer, ...mediaMembers(post, latest) },
    gating_ruling: null,
    comments_connection: {
      edges: comments.map((node) => ({ node })),
      page_info: { end_cursor: null, has_next_page: true },
    },
  };
}

/** Returns the owner's latest posts: tiles without counts or times. */
export function timelineNode(owner: Account, latest: readonly Post[]): Node {
  return {
    edges: latest.map((post) => ({ node: tile(owner, post), cursor: `AQHT${post.pk}` })),
  };
}

function mediaMembers(post: Post, latest: readonly Post[]): Node {
  const { owner, sound } = post;
  const friends = company(post);
  const [first] = post.parts;
  return {
    ...commonMembers(post),
    user: {
      ...accountNode(owner),
      __typename: 'User',
      is_private: owner.private,
      profile_image_uri: portraitOf(owner),
      polaris_ordered_timeline_connection: timelineNode(owner, latest),
    },
    display_uri: first === undefined ? null : picturesOf(first).whole[2]?.url,
    clips_metadata: sound === undefined ? null : soundNote(sound),
    ...(post.scenario.company ? { is_paid_partnership: true } : {}),
    ...(post.kind === 'carousel'
      ? {
          carousel_media: post.parts.map((part, place) => ({
            __typename: typenames[part.kind],
            code: part.code,
            pk: part.pk,
            id: `POLARIS_${part.pk}`,
            media_type: mediaType(part.kind),
            taken_at: post.takenAt,
            original_height: part.size.height,
            original_width: part.size.width,
            user: { pk: owner.pk, id: owner.fbid, username: owner.username },
            ...fileMembers(part),
            ...partMembers(part, friends),
            ...(post.scenario.unknown === 'item' && place === 1 ? unknownMembers : {}),
          })),
          image_versions2: { candidates: first === undefined ? [] : bareCandidates(first) },
        }
      : first === undefined
        ? {}
        : { ...fileMembers(first), ...partMembers(first, friends) }),
  };
}

/**
 * Returns the members for the files of an image or video. Images have no sizes, but cover images of videos do. One
 * video file is listed under three types.
 */
function fileMembers(part: Part): Node {
  if (part.kind === 'photo') return { image_versions2: { candidates: bareCandidates(part) } };
  const { whole, squares } = picturesOf(part);
  const url = progressiveLink(part);
  return {
    image_versions2: {
      additional_candidates: { first_frame: { url: squares[0]?.url } },
      candidates: [...whole, ...squares],
    },
    has_audio: part.hasSound,
    is_dash_eligible: 1,
    video_versions: [101, 102, 103].map((type) => ({ type, url })),
    ...(part.post.manifest === undefined ? {} : { video_dash_manifest: manifestOf(part) }),
  };
}

/** Members of an item of a kind that no client knows, in place of its files. */
const unknownMembers = { __typename: 'XIGPolarisLabMedia', media_type: 99, image_versions2: null, lab_versions: [{}] };

function bareCandidates(part: Part): Node[] {
  const { whole, squares } = picturesOf(part);
  return [...whole, ...squares].map(({ url }) => ({ url }));
}

function tile(owner: Account, post: Post): Node {
  return {
    __typename: typenames[post.kind],
    pk: post.pk,
    id: `POLARIS_${post.pk}`,
    code: post.code,
    caption: { text: post.caption },
    display_uri: post.parts[0] === undefined ? null : picturesOf(post.parts[0]).whole[2]?.url,
    media_type: mediaType(post.kind),
    product_type: productType(post.kind),
    user: { pk: owner.pk, username: owner.username, id: owner.fbid },
    ...(post.kind === 'carousel' ? { carousel_media_count: post.parts.length } : {}),
  };
}
