import type { Part, Post } from '../world/posts.ts';
import { accountNode, type Node } from './accounts.ts';
import { manifestOf, picturesOf, progressiveLink } from './files.ts';
import { soundNote } from './music.ts';
import { commonMembers, company, mediaType, partMembers } from './post.ts';

/** Returns a post as in the site's app: sizes with every file, manifests with every video, plays and durations. */
export function appPost(post: Post): Node {
  const [first] = post.parts;
  if (post.kind === 'photo') return restMembers(post);
  const duration = post.kind === 'carousel' ? {} : { video_duration: first?.seconds };
  return { ...restMembers(post), ...duration, play_count: post.plays };
}

/** Returns a post as in pages of 2024: the app's shape without plays and durations. */
export function pagePost(post: Post): Node {
  const [first] = post.parts;
  const single = post.kind === 'carousel' || first === undefined ? {} : partMembers(first, company(post));
  return { ...restMembers(post), ...single, view_count: null };
}

function restMembers(post: Post): Node {
  const { owner, sound } = post;
  const person = { ...accountNode(owner), id: owner.pk, is_private: owner.private };
  const [first] = post.parts;
  return {
    ...commonMembers(post),
    id: `${post.pk}_${owner.pk}`,
    user: person,
    owner: person,
    is_paid_partnership: post.scenario.company === true,
    clips_metadata: sound === undefined ? null : { audio_type: 'licensed_music', ...soundNote(sound) },
    ...(post.kind === 'carousel'
      ? { carousel_media: post.parts.map((part) => restPart(part, post)), carousel_media_count: post.parts.length }
      : first === undefined
        ? {}
        : restFiles(first)),
  };
}

function restPart(part: Part, post: Post): Node {
  return {
    pk: part.pk,
    id: `${part.pk}_${post.owner.pk}`,
    code: part.code,
    media_type: mediaType(part.kind),
    original_height: part.size.height,
    original_width: part.size.width,
    ...restFiles(part),
  };
}

function restFiles(part: Part): Node {
  const { whole, squares } = picturesOf(part);
  const image_versions2 = { candidates: [...whole, ...squares] };
  if (part.kind === 'photo') return { image_versions2, video_versions: null };
  const url = progressiveLink(part);
  return {
    image_versions2,
    has_audio: part.hasSound,
    is_dash_eligible: 1,
    video_versions: [101, 103].map((type) => ({ type, url, width: 1280, height: 720, id: `${part.pk.slice(-12)}v` })),
    video_dash_manifest: manifestOf(part),
  };
}
