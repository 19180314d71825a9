import { html, type View } from '../common/html.ts';
import { bytesText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import type { Quality } from '../qualities/qualities.ts';

interface QualityRowProps {
  readonly quality: Quality;
  readonly busy: boolean;
  readonly onGet: () => void;
}

/** Shows a quality with its facts and its button, or why there is no file. */
export function QualityRow({ quality, busy, onGet }: QualityRowProps): View {
  const { name, fps, hdr, container, codec, compatibility, bytes, exact, hasAudio, delivery } = quality;
  const { choices: texts, quality: names } = messages();
  const size = bytes === undefined ? '' : exact ? bytesText(bytes) : texts.about(bytesText(bytes));
  const plays = compatibility === undefined ? '' : names[compatibility];
  const facts = [container, codec, size, hasAudio ? '' : texts.noAudio, plays].filter((fact) => fact !== '');
  const badges = [...(fps === undefined ? [] : [names.framesPerSecond(fps)]), ...(hdr ? ['HDR'] : [])];
  return html`
    <li>
      <strong class="label"><bdi>${name}</bdi> ${badges.map((badge) => html`<span class="badge">${badge}</span> `)}</strong>
      <span class="soft">${facts.join(' · ')}</span>
      ${
        delivery.by === 'none'
          ? html`<span class="why">${delivery.reason}</span>`
          : html`<button type="button" onClick=${onGet} aria-busy=${busy}>
              ${busy ? texts.starting : texts.get}<span class="unseen"> ${[name, ...badges].join(' ')}</span>
            </button>`
      }
    </li>
  `;
}
