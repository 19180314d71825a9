import { portraitLink } from '../links.ts';
import { sitePage } from '../page.ts';
import { photoNumbered } from '../world/photos.ts';
import { opaqueName, type Post, postCalled, sharedBy } from '../world/posts.ts';
import { videoNumbered } from '../world/videos.ts';
import { feedbackNode } from './feedback.ts';
import { photoMedia } from './photo.ts';
import { dataId, mediaNode, messageNode, ownerNode } from './video.ts';

/** Returns the page of a post: the post, and suggested posts beside it. */
export function postPage(post: Post, host: string): string {
  const operation = 'CometSinglePostDialogContentQuery';
  const suggestedStory = storyNode(postCalled(`${BigInt(post.id) + 999n}`, post.owner));
  const title = post.owner.name;
  const cards = [{ node: { ...suggestedStory, comet_sections: {} } }];
  return sitePage({
    host,
    path: `/${post.owner.vanity}/posts/${post.refusal === 'others' ? '1' : post.id}/`,
    title,
    properties: { 'og:description': post.text.slice(0, 80) },
    results: [
      ...(post.refusal === 'others' ? [] : [{ operation, data: { node_v2: storyNode(post) } }]),
      {
        operation: post.refusal === 'others' ? 'CometSuggestedPostsQuery' : operation,
        ...(post.refusal === 'others'
          ? {}
          : { label: `${operation}$defer$CometSinglePostDialogContent_cards_v2`, path: ['node_v2'] }),
        data: { profile_logged_out_permalink_cards: { edges: cards } },
      },
    ],
  });
}

/** Returns a post as on its page: in parts, each with the post's number. */
export function storyNode(post: Post): Record<string, unknown> {
  const id = dataId(`S:_I${post.owner.id}`, post.id, post.id);
  const url = `https://www.facebook.com/${post.owner.vanity}/posts/${opaqueName(post)}`;
  const sharedPost = post.shares ? sharedBy(post) : undefined;
  const feedback = { id: dataId('feedback', post.id) };
  const actor = ownerNode(post);
  return {
    __typename: 'Story',
    id,
    feedback: { ...feedback, owning_profile: { __typename: 'User', name: post.owner.name, id: post.owner.id } },
    post_id: post.id,
    creation_time: post.created,
    permalink_url: url,
    actors: [actor],
    attachments: attachmentsOf(post),
    ...(sharedPost === undefined ? {} : { attached_story: storyNode(sharedPost) }),
    comet_sections: {
      __typename: 'CometStorySections',
      content: {
        __typename: 'CometFeedStoryDefaultContentStrategy',
        story: {
          id,
          feedback,
          post_id: post.id,
          actors: [{ ...actor, profile_picture: { uri: portraitLink(post.owner.id, 144) } }],
          message: { text: post.text },
          wwwURL: url,
          comet_sections: { message: { story: { id, message: messageNode(post) } } },
        },
      },
      feedback: {
        story: {
          id,
          feedback,
          story_ufi_container: {
            story: {
              id,
              url,
              post_id: post.id,
              feedback_context: { feedback_target_with_context: feedbackNode(post.id) },
            },
          },
        },
      },
      timestamp: { story: { id, creation_time: post.created, url } },
    },
  };
}

function attachmentsOf(post: Post): unknown[] {
  const number = (place: number) => `6${post.id.slice(1, -1)}${place}`;
  switch (post.attachment) {
    case 'nothing':
      return [];
    case 'sticker':
      return [
        { media: { __typename: 'Sticker', id: '369239263222822', image: { uri: portraitLink(post.owner.id, 144) } } },
      ];
    case 'photo':
      return [styledMedia(photoMedia(photoNumbered(number(1), post.owner)))];
    case 'video':
      return [styledMedia(mediaNode({ ...videoNumbered(`7${post.id.slice(1)}`), owner: post.owner }))];
    case 'album': {
      const shots = [1, 2, 3, 4].map((place) => photoMedia(photoNumbered(number(place), post.owner)));
      const video = mediaNode({ ...videoNumbered(`7${post.id.slice(1)}`), owner: post.owner });
      return [albumOf([...shots.slice(0, 2), video, ...shots.slice(2)])];
    }
    case 'partly unknown': {
      const shots = [1, 2].map((place) => photoMedia(photoNumbered(number(place), post.owner)));
      return [albumOf([...shots, hologram(number(3)), hologram(number(4))])];
    }
    case 'unknown':
      return [albumOf([hologram(number(1)), hologram(number(2))])];
  }
}

function albumOf(media: readonly Record<string, unknown>[]): unknown {
  const nodes = media.map((each) => ({ media: each }));
  const attachment = {
    media: null,
    five_photos_subattachments: { nodes: nodes.slice(0, 3) },
    all_subattachments: { count: nodes.length, nodes },
  };
  const [cover] = media;
  return {
    media: { __typename: cover?.__typename, id: cover?.id },
    style_list: ['album', 'fallback'],
    styles: { __typename: 'StoryAttachmentAlbumStyleRenderer', attachment },
  };
}

/** Returns media of a kind that no parser knows. */
function hologram(id: string): Record<string, unknown> {
  return { __typename: 'XFBLabHologram', id };
}

function styledMedia(media: Record<string, unknown>): unknown {
  const { __typename, id } = media;
  return {
    media: { __typename, id },
    styles: { __typename: `StoryAttachment${__typename}StyleRenderer`, attachment: { media } },
  };
}
