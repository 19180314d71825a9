import { pictureLink } from '../links.ts';
import type { Post } from '../world/posts.ts';
import { documentedId } from '../world/scenarios.ts';
import type { User } from '../world/users.ts';

/** Returns the oEmbed data of a post (`/oembed`): its text, its author and its cover image. */
export function oembedOf(post: Post) {
  const { by, id, caption } = post;
  return {
    version: '1.0',
    type: 'video',
    title: caption,
    author_url: `https://www.tiktok.com/@${by.name}`,
    author_name: by.nickname,
    width: '100%',
    height: '100%',
    html: `<blockquote class="tiktok-embed" data-video-id="${id}"></blockquote>`,
    thumbnail_width: 1280,
    thumbnail_height: 720,
    thumbnail_url: pictureLink(`o${id}-cover`, 'tiktokx-origin.image'),
    provider_url: 'https://www.tiktok.com',
    provider_name: 'TikTok',
    author_unique_id: by.name,
    embed_product_id: id,
    embed_type: post.kind,
  };
}

/** Returns the page of a user's embedded box; without data if the user has disabled it. */
export function embeddedBox({ name, box }: User): string {
  const path = `/embed/@${name}`;
  const videoList = box?.map((number) => ({ id: documentedId(number), desc: 'A post', playCount: 1 }));
  const state = {
    source: { data: videoList === undefined ? {} : { [path]: { videoList, userInfo: { uniqueId: name } } } },
  };
  const script = `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify(state)}</script>`;
  return `<!DOCTYPE html><html><head><title>@${name}</title></head><body><div id="root"></div>${script}</body></html>`;
}
