import type { ContentMetadata } from '../../../contract/envelope.ts';
import { hashtagsIn, mentionsIn } from '../../../parsing/text-entities.ts';
import {
  count,
  defined,
  type Fields,
  fields,
  flag,
  isFields,
  list,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';
import { carouselSlots } from './carousel.ts';
import { member } from './member.ts';
import { idOf, person } from './people.ts';
import { mainPicture } from './pin-media.ts';
import { reactionsOf, statisticsOf } from './statistics.ts';
import { storyBlocks } from './story.ts';
import { videoForms } from './videos.ts';

/** The strategies of the fallback chain: the JSON interface, the page's data, the page's head, and oEmbed. */
export const strategies = ['resource', 'page', 'page_meta', 'oembed'] as const;

export type Strategy = (typeof strategies)[number];

const MAX_TEXT = 20_000;
const MAX_ITEMS = 100;

/** Returns the metadata of a pin: everything except its files. */
export function pinMetadata(pin: Fields, pinId: string, strategy: Strategy): ContentMetadata {
  const description = longText(member(pin, 'closeup_unified_description')) ?? longText(pin.description);
  return defined({
    title: titleOf(pin) ?? description,
    thumbnailUrl: thumbnailOf(pin),
    author: authorOf(pin),
    additionalData: additionalData(pin, pinId, strategy, description),
  });
}

function titleOf(pin: Fields): string | undefined {
  const titles = ['title', 'grid_title', 'closeup_unified_title', 'seo_title'].map((name) => member(pin, name));
  const deeper = [member(pin, 'story_pin_data', 'metadata', 'pin_title'), member(pin, 'rich_metadata', 'title')];
  return [...titles, ...deeper].map(longText).find((title) => title !== undefined);
}

function thumbnailOf(pin: Fields): string | undefined {
  return mainPicture(pin)[0]?.url ?? videoForms({ videos: pin.videos })[0]?.thumbnail;
}

/**
 * Returns the author: the uploader, else the first user who saved the pin, else the one who saved this copy. All three
 * are also listed separately.
 */
function authorOf(pin: Fields): Record<string, unknown> | undefined {
  const roles = defined({
    pinner: person(pin.pinner),
    originPinner: person(member(pin, 'origin_pinner')),
    nativeCreator: person(member(pin, 'native_creator')),
  });
  const author = roles.nativeCreator ?? roles.originPinner ?? roles.pinner;
  return author === undefined ? undefined : { ...author, ...roles };
}

function additionalData(
  pin: Fields,
  pinId: string,
  strategy: Strategy,
  description: string | undefined,
): Record<string, unknown> {
  const id = idOf(pin) ?? pinId;
  const embed = fields(pin.embed);
  const blocks = storyBlocks(pin);
  return defined({
    id,
    // A pin that was merged into another has that pin's ID.
    requestedId: id === pinId ? undefined : pinId,
    source: strategy,
    url: `https://www.pinterest.com/pin/${id}/`,
    description,
    hashtags: unlessEmpty(hashtagsIn(description ?? '')),
    mentions: unlessEmpty(mentionsIn(description ?? '')),
    ...dateOf(member(pin, 'created_at')),
    link: httpSiteUrl(pin.link),
    domain: text(pin.domain),
    dominantColor: text(member(pin, 'dominant_color')),
    altText: longText(member(pin, 'alt_text')),
    autoAltText: longText(member(pin, 'auto_alt_text')) ?? longText(member(pin, 'seo_alt_text')),
    tags: unlessEmpty(texts(member(pin, 'pin_join', 'visual_annotation'))),
    board: boardOf(pin.board),
    attribution: person(member(pin, 'closeup_unified_attribution') ?? member(pin, 'closeup_attribution')),
    statistics: statisticsOf(pin, blocks),
    reactions: reactionsOf(pin),
    pageCount: list(member(pin, 'story_pin_data', 'pages')).length || undefined,
    storyTexts: unlessEmpty(texts(blocks.map((block) => block.text))),
    carousel: unlessEmpty(carouselSlots(pin).map(slotFacts)),
    duration: durationOf(pin, blocks),
    embed:
      httpSiteUrl(embed.src) === undefined
        ? undefined
        : defined({ type: text(embed.type), url: httpSiteUrl(embed.src) }),
    isPromoted: flag(member(pin, 'is_promoted')),
    isRepin: flag(member(pin, 'is_repin')),
    commentsDisabled: flag(member(pin, 'comments_disabled')),
  });
}

function boardOf(node: unknown): Record<string, unknown> | undefined {
  if (!isFields(node)) return undefined;
  const path = text(node.url);
  const board = defined({
    id: idOf(node),
    name: text(node.name),
    url: path?.startsWith('/') ? parseSiteUrl(path, 'https://www.pinterest.com')?.href : httpSiteUrl(path),
    pinCount: count(member(node, 'pin_count')),
  });
  return Object.keys(board).length > 0 ? board : undefined;
}

function slotFacts(slot: Fields): Record<string, unknown> {
  return defined({
    id: idOf(slot),
    title: longText(slot.title),
    description: longText(slot.description),
    link: httpSiteUrl(slot.link),
  });
}

/** Returns the total duration of the pin's videos in seconds. */
function durationOf(pin: Fields, blocks: readonly Fields[]): number | undefined {
  const milliseconds = count(member(pin, 'story_pin_data', 'total_video_duration'));
  if (milliseconds) return milliseconds / 1000;
  const lengths = [...blocks, { videos: pin.videos }].map((block) => videoForms(block)[0]?.duration ?? 0);
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  return whole > 0 ? whole : undefined;
}

/** Reads `Thu, 16 Oct 2025 03:38:01 +0000`. */
function dateOf(value: unknown): { createdAt?: string; createdText?: string } {
  const createdText = text(value)?.slice(0, 100);
  const time = new Date(createdText ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? {} : { createdAt: time.toISOString(), ...defined({ createdText }) };
}

function texts(value: unknown): string[] {
  return list(value)
    .slice(0, MAX_ITEMS)
    .flatMap((one) => longText(one) ?? []);
}

function longText(value: unknown): string | undefined {
  return text(value)?.slice(0, MAX_TEXT).toWellFormed();
}
