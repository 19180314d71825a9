import { codecsText } from '#client/codec-text.ts';
import type { ExtractedContent, MediaItem } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { bytesText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { containerText, isPlaylist } from '../qualities/codecs.ts';
import type { QueryResult } from '../query/query-result.ts';
import { MediaLink } from './media-link.ts';

interface StreamTableProps extends QueryResult {
  readonly content: ExtractedContent;
  /** Number of the content item, from 1. */
  readonly number: number;
  /** Number of content items. */
  readonly count: number;
}

/** Lists all source streams of a content item, with links to save them. */
export function StreamTable({ query, result, content, number, count }: StreamTableProps): View {
  const { videos = [], audios = [], images = [] } = content;
  const { streams: texts } = messages();
  const name = count > 1 ? texts.titleOf(number) : texts.title;
  const titles = [texts.quality, texts.format, texts.codec, texts.resolution, texts.size, texts.audio];
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${name}>
      <table>
        <thead>
          <tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}<td></td></tr>
        </thead>
        <tbody>${[...videos, ...audios, ...images].map((item) => html`<${Row} query=${query} result=${result} item=${item} />`)}</tbody>
      </table>
    </div>
  `;
}

function Row({ query, result, item }: QueryResult & { readonly item: MediaItem }): View {
  const { label, metadata } = item;
  const { width, height, content_length: bytes, has_audio: sound } = metadata;
  const { streams: texts, choices } = messages();
  const save = isPlaylist(metadata) ? texts.playlist : choices.get;
  return html`
    <tr>
      <th scope="row">${label}</th>
      <td>${containerText(metadata)}</td>
      <td>${codecsText(metadata)}</td>
      <td>${width > 0 ? `${width} × ${height}` : ''}</td>
      <td>${bytes === undefined ? '' : bytesText(bytes)}</td>
      <td>${metadata.mime_type.startsWith('image/') ? '' : sound ? texts.yes : texts.no}</td>
      <td>
        <${MediaLink} query=${query} result=${result} item=${item}>
          ${save}<span class="unseen"> ${label}, ${containerText(metadata)}</span>
        <//>
      </td>
    </tr>
  `;
}
