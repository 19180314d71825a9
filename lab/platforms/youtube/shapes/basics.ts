import { titleText, untranslatedTitle } from '../../headlines.ts';
import type { Channel } from '../world/channels.ts';
import type { Video } from '../world/videos.ts';

/** Node of a response. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns text in the oldest of its three shapes. */
export function simple(text: string): Node {
  return { simpleText: text };
}

/** Returns text as a list of runs; each may have a link. */
export function runs(...texts: readonly (string | readonly [text: string, endpoint: Node])[]): Node {
  return {
    runs: texts.map((text) => (typeof text === 'string' ? { text } : { text: text[0], navigationEndpoint: text[1] })),
  };
}

/** Returns text in the newest shape; `tap` is the link of its start. */
export function content(text: string, tap?: Node): Node {
  if (tap === undefined) return { content: text };
  return {
    content: text,
    commandRuns: [{ startIndex: 0, length: text.length, onTap: { innertubeCommand: tap } }],
  };
}

/** Returns the link to a channel. */
export function channelEndpoint({ id, handle }: Channel): Node {
  return { browseEndpoint: { browseId: id, canonicalBaseUrl: `/@${handle}` } };
}

/** Returns the link to a video. */
export function watchEndpoint(videoId: string, more: Node = {}): Node {
  return { watchEndpoint: { videoId, ...more } };
}

/** Returns the images of a video, smallest first, in the form that both shapes use. */
export function pictures({ id, kind }: Video): Node[] {
  if (kind === 'short')
    return [{ url: `https://i.ytimg.com/vi/${id}/oardefault.jpg?sqp=lab`, width: 405, height: 720 }];
  return [
    { url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg?sqp=lab168`, width: 168, height: 94 },
    { url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg?sqp=lab336`, width: 336, height: 188 },
    { url: `https://i.ytimg.com/vi/${id}/hq720.jpg?sqp=lab720`, width: 720, height: 404 },
  ];
}

/** Returns a channel's image in some widths. */
export function avatars({ handle }: Channel, ...sizes: readonly number[]): Node[] {
  return sizes.map((size) => ({
    url: `https://yt3.ggpht.com/lab/${handle}=s${size}-c-k-c0x00ffffff-no-rj`,
    width: size,
    height: size,
  }));
}

/** Returns the badge of a verified channel in the older shapes. */
export function ownerBadges({ verified }: Channel): Node {
  if (!verified) return {};
  const badge = { icon: { iconType: 'CHECK_CIRCLE_THICK' }, style: 'BADGE_STYLE_TYPE_VERIFIED', tooltip: 'Verified' };
  return { ownerBadges: [{ metadataBadgeRenderer: badge }] };
}

/** Returns the badge of a verified channel in the newest shapes: an image at the end of its name. */
export function verifiedRun({ name, verified }: Channel): Node {
  if (!verified) return {};
  const image = { sources: [{ clientResource: { imageName: 'CHECK_CIRCLE_FILLED' }, width: 14, height: 14 }] };
  return { attachmentRuns: [{ startIndex: name.length, length: 0, element: { type: { imageType: { image } } } }] };
}

/** Returns a video's title in a language. The titles of documented videos are always translated. */
export function titleOf({ id, channel, about, title }: Video, hl: string): string {
  return title ?? (about === 'ordinary' ? untranslatedTitle(id) : undefined) ?? titleText(channel.topic, id, hl);
}

/** Returns the token of the next page, in the shape that most lists have. */
export function continuation(token: string, request: 'BROWSE' | 'SEARCH' | 'WATCH_NEXT'): Node {
  return {
    continuationItemRenderer: {
      trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
      continuationEndpoint: { continuationCommand: continuationCommand(token, request) },
    },
  };
}

/** Returns a command that requests the next page. */
export function continuationCommand(token: string, request: 'BROWSE' | 'SEARCH' | 'WATCH_NEXT'): Node {
  return { token, request: `CONTINUATION_REQUEST_TYPE_${request}` };
}
