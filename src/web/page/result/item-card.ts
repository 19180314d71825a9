import type { ComponentChildren } from 'preact';
import type { ListItem } from '#client/index.ts';
import { numberAt, textAt } from '#client/read-members.ts';
import { isLive, nameOfItem } from '../collection/entry.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { pictureAt } from '../common/read-members.ts';
import { countText, dateText, durationText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { QueryLink } from '../query/query-link.ts';

const PICTURE_WIDTH = 480;
/** Types that a card does not name, because most lists consist of them. */
const plainTypes = ['video', 'live'];

interface ItemCardProps {
  readonly item: ListItem;
  /** The checkbox, if the item can be selected. */
  readonly children?: ComponentChildren;
  readonly selected?: boolean;
}

/** Shows an entry of a list: a video, a channel, a playlist, a post. */
export function ItemCard({ item, children, selected = false }: ItemCardProps): View {
  const { type } = item;
  const channel = textAt(item, 'channel', 'name') ?? textAt(item, 'author', 'name');
  const shape = type === 'channel' ? 'round' : 'wide';
  return html`
    <li class="card" data-selected=${selected} data-type=${type}>
      <div class="cover">
        <${Picture} src=${pictureAt(item, PICTURE_WIDTH, 'thumbnails')} shape=${shape} />
        <${Corner} item=${item} />
      </div>
      <p class="name" dir="auto">
        <${QueryLink} to=${textAt(item, 'url')}>${nameOfItem(item) ?? typeName(type) ?? messages().list.untitled}<//>
      </p>
      ${
        channel === undefined
          ? null
          : html`<p class="author soft small"><${QueryLink} to=${textAt(item, 'channel', 'url')}><bdi>${channel}</bdi><//></p>`
      }
      <p class="soft small">${factsOf(item).join(' · ')}</p>
      ${children}
    </li>
  `;
}

/** Shows the duration of a video; that a broadcast is live or announced; or the number of videos of a playlist. */
function Corner({ item }: { item: ListItem }): View {
  const { list } = messages();
  if (isLive(item)) return html`<span class="corner badge live">${list.live}</span>`;
  if (item.upcoming === true) return html`<span class="corner">${list.upcoming}</span>`;
  if (item.playable === false) return html`<span class="corner">${list.unavailable}</span>`;
  const seconds = numberAt(item, 'duration');
  const videos = item.type === 'playlist' ? numberAt(item, 'videoCount') : undefined;
  const text =
    videos === undefined
      ? (textAt(item, 'durationText') ?? (seconds === undefined ? undefined : durationText(seconds)))
      : list.counts.videoCount(videos, countText(videos));
  return text === undefined ? null : html`<span class="corner">${text}</span>`;
}

function factsOf(item: ListItem): readonly string[] {
  const { counts } = messages().list;
  const countOf = (name: keyof typeof counts) => {
    const count = numberAt(item, name);
    return count === undefined ? [] : [counts[name](count, countText(count))];
  };
  const type = plainTypes.includes(item.type) ? undefined : typeName(item.type);
  const publishedText = textAt(item, 'publishedText');
  const published = publishedText === undefined ? publishedDate(item) : isolate(publishedText);
  return [
    ...(type === undefined ? [] : [type]),
    ...countOf('subscriberCount'),
    ...(item.type === 'playlist' ? [] : countOf('videoCount')),
    ...countOf('viewCount'),
    ...countOf('viewerCount'),
    ...(published === undefined ? [] : [published]),
  ];
}

function publishedDate(item: ListItem): string | undefined {
  const time = Date.parse(textAt(item, 'publishedAt') ?? textAt(item, 'takenAt') ?? '');
  return Number.isNaN(time) ? undefined : dateText(new Date(time));
}

function typeName(type: string): string | undefined {
  const types: Readonly<Record<string, string>> = messages().list.types;
  return Object.hasOwn(types, type) ? types[type] : undefined;
}
