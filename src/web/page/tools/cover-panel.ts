import type { ExtractionResponse } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { Picture } from '../common/picture.ts';
import { messages } from '../language/language.ts';
import { titleOf } from '../query/media-facts.ts';
import { coverOf } from './cover.ts';

/** Shows the cover of an item, with a link that saves it as a file. */
export function CoverPanel({ result }: { result: ExtractionResponse }): View {
  const { cover: texts } = messages().tools;
  const cover = coverOf(result);
  if (cover === undefined) return null;
  const { url, size } = cover;
  return html`
    <div class="cover">
      <${Picture} src=${url} alt=${texts.of(titleOf(result))} shape="whole" />
      <p class="actions">
        <a class="button" href=${url} download=${titleOf(result)}><${Icon} name="download" /> ${texts.save}</a>
        ${size === undefined ? null : html`<span class="soft small">${texts.size(size.width, size.height)}</span>`}
      </p>
    </div>
  `;
}
