import type { CdnTools } from '../../../cdn/tools.ts';
import type { PageAccess } from '../links.ts';
import { isShownIn, type Post } from '../world/posts.ts';
import { commentsOf } from './comments.ts';
import { pageOf, phoneScopes } from './html.ts';
import { type Client, itemOf } from './item.ts';

const deletedItem = { statusCode: 10_204, statusMsg: "item doesn't exist" };

/** Returns the page of a post for a client in a country; `post` is undefined if it does not exist. */
export async function postPage(
  tools: CdnTools,
  address: string,
  post: Post | undefined,
  client: Client,
  country: string,
  access: PageAccess,
): Promise<string> {
  const detail =
    post === undefined ? deletedItem : (refusalOf(post, country) ?? (await itemDetail(tools, post, client, access)));
  const scopes = { 'seo.abtest': { canonical: address, pageId: '253109768982186779' } };
  const title = `${post?.caption.replaceAll('<', '') ?? 'Post'} | TikTok`;
  if (client === 'desktop') return pageOf(title, { ...scopes, 'webapp.video-detail': detail });
  if (post?.streamed === undefined) {
    return pageOf(title, { ...scopes, ...phoneScopes, 'webapp.reflow.video.detail': inPhoneWords(detail) });
  }
  const data = { videoDetail: inPhoneWords(detail), commentList: commentsOf(post) };
  return pageOf(title, { ...scopes, ...phoneScopes }, [{ id: 'api-data', json: data }]);
}

/** Renames a member for phones: `statusMessage` instead of `statusMsg`. */
function inPhoneWords({ statusMsg, ...detail }: { readonly statusMsg: string }) {
  return { ...detail, statusMessage: statusMsg };
}

function refusalOf(post: Post, country: string) {
  const { status } = post;
  if (status !== undefined) return { statusCode: status[0], statusMsg: status[1] };
  return isShownIn(post, country) ? undefined : { statusCode: 10_231, statusMsg: 'cross_border_violation' };
}

async function itemDetail(tools: CdnTools, post: Post, client: Client, access: PageAccess) {
  return {
    itemInfo: { itemStruct: await itemOf(tools, post, client, access) },
    shareMeta: { title: `${post.by.nickname} on TikTok`, desc: post.caption },
    statusCode: 0,
    statusMsg: '',
  };
}
