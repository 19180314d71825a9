import { ago, longCount, shortCount } from '../../words.ts';
import { encodeMembers, message } from '../protobuf.ts';
import { playlistAt } from '../world/playlists.ts';
import type { Post } from '../world/posts.ts';
import { videoAt } from '../world/videos.ts';
import { avatars, channelEndpoint, type Node, runs, simple } from './basics.ts';
import { playlistRenderer, videoRenderer } from './renderers.ts';

/** Returns a post in its thread, as on tabs and its own page. */
export function postThread(post: Post, hl: string): Node {
  if (post.attachment !== 'shared') {
    return { backstagePostThreadRenderer: { post: { backstagePostRenderer: postOf(post, hl) } } };
  }
  const { id, channel, text } = post;
  const shared = {
    postId: id,
    displayName: runs([channel.name, channelEndpoint(channel)]),
    endpoint: channelEndpoint(channel),
    thumbnail: { thumbnails: avatars(channel, 48) },
    content: runs(text),
    publishedTimeText: runs([ago(post.age), detailEndpoint(post)]),
    originalPost: {
      backstagePostRenderer: { ...postOf({ ...post, attachment: 'image' }, hl), postId: `${id.slice(0, -1)}A` },
    },
  };
  return { backstagePostThreadRenderer: { post: { sharedPostRenderer: shared } } };
}

/** Returns the link to a post's own page. */
export function detailEndpoint({ id, channel }: Post): Node {
  const params = encodeMembers([56, message([2, channel.id], [3, id], [11, channel.id])]);
  return { browseEndpoint: { browseId: 'FEpost_detail', params, canonicalBaseUrl: `/post/${id}` } };
}

function postOf(post: Post, hl: string): Node {
  const { id, channel, text, age, likes, comments } = post;
  const label = { accessibilityData: { label: `Like this post along with ${longCount(likes)} other people` } };
  const [words = '', ...rest] = text.split(/(https:\S+)/);
  const url = rest[0] ?? '';
  const attachment = attachmentOf(post, hl);
  return {
    postId: id,
    authorText: runs([channel.name, channelEndpoint(channel)]),
    authorThumbnail: { thumbnails: avatars(channel, 32, 48, 76) },
    authorEndpoint: channelEndpoint(channel),
    contentText: runs(words, [url, { urlEndpoint: { url } }], ...rest.slice(1)),
    publishedTimeText: runs([ago(age), detailEndpoint(post)]),
    voteCount: simple(shortCount(likes)),
    surface: 'BACKSTAGE_SURFACE_TYPE_BACKSTAGE',
    actionButtons: {
      commentActionButtonsRenderer: {
        likeButton: { toggleButtonRenderer: { accessibilityData: label } },
        replyButton: { buttonRenderer: { text: simple(shortCount(comments)) } },
      },
    },
    ...(attachment === undefined ? {} : { backstageAttachment: attachment }),
  };
}

function attachmentOf({ attachment, channel, id }: Post, hl: string): Node | undefined {
  const image = (number: number) => ({
    backstageImageRenderer: {
      image: {
        thumbnails: [
          {
            url: `https://yt3.ggpht.com/lab/${id}-${number}=s1600-c-fcrop64=1,00000000ffffffff-nd-v1`,
            width: 1600,
            height: 900,
          },
        ],
      },
    },
  });
  const options = ['First', 'Second', 'Third'];
  switch (attachment) {
    case 'image':
      return image(1);
    case 'images':
      return { postMultiImageRenderer: { images: [image(1), image(2), image(3)] } };
    case 'poll': {
      const choices = options.map((option) => ({ text: runs(option), selected: false }));
      return { pollRenderer: { choices, totalVotes: simple('1.2K votes'), type: 'POLL' } };
    }
    case 'quiz': {
      const choices = options.map((option, index) => ({
        text: runs(option),
        isCorrect: index === 1,
        explanation: runs('The lab says so.'),
      }));
      return { quizRenderer: { choices, totalVotes: simple('812 answers') } };
    }
    case 'video':
      return videoRenderer(videoAt(channel, 'video', 0), hl);
    case 'playlist':
      return playlistRenderer(playlistAt(channel, 'playlists', 0));
    default:
      return undefined;
  }
}
