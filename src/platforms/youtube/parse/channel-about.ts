import { type CountMembers, countMembers } from '../../../parsing/numbers.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { defined, dig, fields, list, unlessEmpty } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { continuationItems } from './continuations.ts';
import { isoDay } from './dates.ts';
import { readRuns, readText } from './text.ts';
import { readThumbnails } from './thumbnails.ts';

const MAX_LINKS = 100;

/** A link on a channel's page. */
interface ChannelLink {
  readonly title?: string;
  readonly url: string;
  /** The icon of the linked site. */
  readonly icons?: readonly Picture[];
}

/** The contents of a channel's "About" panel. */
export interface ChannelAbout
  extends CountMembers<'subscriberCount'>,
    CountMembers<'videoCount'>,
    CountMembers<'viewCount'> {
  readonly description?: string;
  /** The country's English name. */
  readonly country?: string;
  /** The site's own text: "Joined Jan 28, 2015". */
  readonly joinedText?: string;
  /** The day, in ISO 8601. */
  readonly joinedAt?: string;
  readonly links?: readonly ChannelLink[];
}

/** Reads the response to the panel's token. Returns undefined if it contains no such panel. */
export function readAbout(response: unknown): ChannelAbout | undefined {
  const about = (continuationItems(response) ?? [])
    .map((item) => dig(item, 'aboutChannelRenderer', 'metadata', 'aboutChannelViewModel'))
    .find((panel) => panel !== undefined);
  if (about === undefined) return undefined;
  const { description, country, joinedDateText, links, ...counts } = fields(about);
  const joinedText = readText(joinedDateText);
  return {
    ...defined({
      description: readText(description),
      country: readText(country),
      joinedText,
      joinedAt: isoDay(joinedText),
      links: unlessEmpty(list(links).slice(0, MAX_LINKS).flatMap(readExternalLink)),
    }),
    ...countMembers('subscriberCount', readText(counts.subscriberCountText)),
    ...countMembers('videoCount', readText(counts.videoCountText)),
    ...countMembers('viewCount', readText(counts.viewCountText)),
  };
}

function readExternalLink(entry: unknown): readonly ChannelLink[] {
  const { title, link, favicon } = fields(dig(entry, 'channelExternalLinkViewModel'));
  const target = readLinkText(link);
  if (target === undefined) return [];
  const members = { title: readText(title) ?? target.title, icons: unlessEmpty(readThumbnails(favicon)) };
  return [{ ...defined(members), url: target.url }];
}

/** Reads a link in the site's format: a text without `https://`, and its target. */
export function readLinkText(node: unknown): ChannelLink | undefined {
  const words = readText(node);
  const url =
    readRuns(node).find((run) => run.url !== undefined)?.url ?? (words === undefined ? undefined : addressOf(words));
  if (url === undefined) return undefined;
  return { ...defined({ title: words }), url };
}

function addressOf(words: string): string | undefined {
  return /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(words) ? httpSiteUrl(`https://${words}`) : httpSiteUrl(words);
}
