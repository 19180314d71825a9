import type { ListItem } from '#client/index.ts';
import { countText, durationText } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { numberAt, pictureAt, textAt } from '../common/read-members.ts';
import { QueryLink } from '../query/query-link.ts';

const PICTURE_WIDTH = 320;
const MAX_TEXT = 200;

/** Shows an entry of a list: a video, a channel, a playlist, a post. */
export function ItemCard({ item }: { item: ListItem }): View {
  const { type } = item;
  const round = type === 'channel';
  const channel = textAt(item, 'channel', 'name');
  const seconds = numberAt(item, 'duration');
  const corner = textAt(item, 'durationText') ?? (seconds === undefined ? undefined : durationText(seconds));
  return html`
    <li class="card">
      <div class="cover">
        <${Picture} src=${pictureAt(item, PICTURE_WIDTH, 'thumbnails')} shape=${round ? 'round' : 'wide'} />
        ${corner === undefined ? null : html`<span class="corner">${corner}</span>`}
      </div>
      <p class="name" dir="auto"><${QueryLink} to=${textAt(item, 'url')}>${nameOf(item)}<//></p>
      ${
        channel === undefined
          ? null
          : html`<p class="soft"><${QueryLink} to=${textAt(item, 'channel', 'url')}><bdi>${channel}</bdi><//></p>`
      }
      <p class="soft">${factsOf(item).join(' · ')}</p>
    </li>
  `;
}

function nameOf(item: ListItem): string {
  const name = textAt(item, 'title') ?? textAt(item, 'name') ?? textAt(item, 'text') ?? textAt(item, 'description');
  if (name === undefined) return item.type === 'photo' ? 'Photo' : item.type;
  return name.length > MAX_TEXT ? `${name.slice(0, MAX_TEXT)}…` : name;
}

function factsOf(item: ListItem): readonly string[] {
  const countOf = (name: string, unit: string) => {
    const count = numberAt(item, name);
    return count === undefined ? [] : [`${countText(count)} ${unit}`];
  };
  const publishedText = textAt(item, 'publishedText');
  return [
    ...(item.type === 'video' ? [] : [item.type]),
    ...countOf('subscriberCount', 'subscribers'),
    ...countOf('videoCount', 'videos'),
    ...countOf('viewCount', 'views'),
    ...countOf('viewerCount', 'watching'),
    ...(publishedText === undefined ? [] : [publishedText]),
  ];
}
