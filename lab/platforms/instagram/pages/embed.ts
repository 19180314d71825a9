import { type Exchange, sendText } from '../../../http/exchange.ts';
import { picturesOf } from '../shapes/files.ts';
import { embeddedPost } from '../shapes/graph.ts';
import { has, type Post } from '../world/posts.ts';
import { escapeHtml } from './html.ts';

/**
 * Handles `/p/<code>/embed/captioned/`: data as JSON within a JSON string, the visible markup
 * without the data, or the message of a broken link.
 */
export function sendEmbed(exchange: Exchange, post: Post): void {
  const { embed } = post.scenario;
  const isEmbeddable = has(post, 'embed');
  const context = isEmbeddable && embed !== 'markup' ? JSON.stringify(contextOf(post)) : null;
  const init = { isRichEmbed: true, contextJSON: context, has_xdt: false };
  const script = JSON.stringify({ require: [['PolarisEmbedSimple', 'init', [], [init]]] }).replaceAll('</', '<\\/');
  const body = isEmbeddable ? markupOf(post) : embed === 'broken' ? brokenMarkup(post) : '<div class="Embed"></div>';
  sendText(
    exchange,
    200,
    `<!DOCTYPE html><html><head><title>Instagram</title></head><body>${body}<script>${script}</script></body></html>`,
    { 'content-type': 'text/html; charset="utf-8"' },
  );
}

function contextOf(post: Post) {
  const media = embeddedPost(post);
  return { context: { type: media.__typename, shortcode: post.code }, gql_data: { shortcode_media: media } };
}

function brokenMarkup({ code }: Post): string {
  const link = `https://www.instagram.com/p/${code}/?utm_source=ig_embed&amp;utm_campaign=invalid`;
  const message = 'The link to this photo or video may be broken, or the post may have been removed.';
  return [
    '<div class="_aa4c"><div class="EmbedBrokenMedia">',
    `<div class="ebmMessage">${message}</div>`,
    `<a class="EmbedVisitInstagram" href="${link}" target="_blank"><span>Visit Instagram</span></a></div></div>`,
  ].join('');
}

function markupOf({ parts, owner, caption }: Post): string {
  const [first] = parts;
  const picture = first === undefined ? undefined : picturesOf(first).whole[1]?.url;
  const image = `<img class="EmbeddedMediaImage" alt="" src="${escapeHtml(picture ?? '')}" />`;
  const video = first?.kind === 'video' ? '<a class="WatchOnInstagram" href="/">Watch on Instagram</a>' : '';
  const name = `<span class="UsernameText">${owner.username}</span>`;
  const words = `<div class="Caption"><a class="CaptionUsername">${owner.username}</a>${escapeHtml(caption)}</div>`;
  return `<div class="Embed">${name}${image}${video}${words}</div>`;
}
