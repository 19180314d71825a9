import type { Exchange } from '../../../http/exchange.ts';
import { clipsQuery, queryIds } from '../query-ids.ts';
import { polarisPost } from '../shapes/polaris.ts';
import { commentNodes } from '../shapes/post.ts';
import { pagePost } from '../shapes/rest.ts';
import { has, latestOf, type Post } from '../world/posts.ts';
import { block, type Preloader } from './html.ts';
import { sendPage, sendWall } from './walls.ts';

/** Handles `/p/<code>/` with any path in front of the code. */
export function sendPostPage(exchange: Exchange, post: Post): Promise<void> | void {
  const { scenario } = post;
  const [other] = latestOf(post).slice(1);
  if (has(post, 'page') || scenario.gated) return sendPost(exchange, post);
  if (scenario.page === 'other_post' && other !== undefined) return sendPost(exchange, other);
  if (scenario.newQueries) {
    const route = 'PolarisLoggedOutDesktopWWWPostRoute';
    return sendPage(exchange, { route, preloaders: preloadersOf(post), blocks: clipsDeclarations });
  }
  return sendWall(exchange, scenario.page ?? 'shell', 'Post');
}

function sendPost(exchange: Exchange, post: Post): Promise<void> | void {
  const { scenario, code, owner } = post;
  const tags = {
    type: 'article',
    title: `${owner.name} on Instagram: "${post.caption}"`,
    description: `${post.likes} likes, ${post.comments} comments - ${owner.username}`,
    url: `https://www.instagram.com/p/${code}/`,
  };
  if (scenario.generation === '2024') {
    const data = {
      PolarisPostRootQuery: { xdt_api__v1__media__shortcode__web_info: { items: [pagePost(post)] } },
      PolarisPostCommentsContainerQuery: {
        xdt_api__v1__media__media_id__comments__connection: {
          edges: commentNodes(post, 'XDTCommentDict').map((node) => ({ node, cursor: '' })),
          page_info: { end_cursor: '{}', has_next_page: true },
        },
      },
    };
    return sendPage(exchange, { route: 'PolarisDesktopPostRoute', tags, data });
  }
  const media = polarisPost(post, latestOf(post));
  const data = {
    PolarisLoggedOutDesktopWWWPostRootContentQuery:
      scenario.unknown === 'post'
        ? { xig_lab_media: { lab_media: media, code, pk: post.pk } }
        : { xig_polaris_media: media },
  };
  const page = { route: 'PolarisLoggedOutDesktopWWWPostRoute', tags, preloaders: preloadersOf(post), data };
  return sendPage(exchange, page, 200, scenario.latin1);
}

/** Declarations of the query of reels with its next number and flags, in the forms of the site's scripts. */
const clipsDeclarations = [
  block({ queryIds: { [clipsQuery.name]: queryIds.next.clips } }),
  `<script>__d("${clipsQuery.name}$Parameters",[${[
    `${clipsQuery.name}_instagramRelayOperation`,
    ...clipsQuery.nextFlags.map((flag) => `${flag}.relayprovider`),
  ]
    .map((name) => `"${name}"`)
    .join(',')}],(function(t,n,r,o,a,i){}),null);</script>`,
];

function preloadersOf({ pk, scenario }: Post): Preloader[] {
  const variables = { media_id: pk };
  const { post } = scenario.newQueries ? queryIds.next : queryIds.known;
  return [
    { name: 'PolarisPostCommentsContainerQuery', id: '7336110846449933', variables },
    { name: 'PolarisLoggedOutDesktopWWWPostRootContentQuery', id: post, variables },
  ];
}
