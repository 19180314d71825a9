import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { languageText, listText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { clipTimeText, endsOf } from './clip-range.ts';
import { type ItemOptions, withoutOption } from './item-options.ts';

interface OptionSummaryProps {
  readonly options: ItemOptions;
  /** Duration of the item in seconds. */
  readonly duration: number;
  readonly onChange: (options: ItemOptions) => void;
}

const headingId = 'options-title';

/**
 * Heads the tools, and shows the options that are set, each with a button that removes it. It keeps its height, so that
 * nothing moves under the pointer that sets an option.
 */
export function OptionSummary({ options, duration, onChange }: OptionSummaryProps): View {
  const { tools: texts } = messages();
  const entries = entriesOf(options, duration);
  const remove = (name: keyof ItemOptions) => {
    onChange(withoutOption(options, name));
    // The button is gone.
    focusOn(headingId);
  };
  return html`
    <header class="tools-head">
      <h3 id=${headingId} tabindex="-1">${texts.title}</h3>
      <ul aria-label=${texts.chosen}>
        ${entries.map(
          ([name, text]) => html`<li class="chip" key=${name}>
            ${text}
            <button type="button" class="plain" aria-label=${texts.clear(text)} onClick=${() => remove(name)}>
              <${Icon} name="close" />
            </button>
          </li>`,
        )}
      </ul>
    </header>
  `;
}

function entriesOf(
  { clip, audioLanguage, subtitleLanguages, tags }: ItemOptions,
  duration: number,
): readonly (readonly [name: keyof ItemOptions, text: string])[] {
  const { tools: texts } = messages();
  const { start, end } = endsOf(clip, duration);
  return [
    ...(clip === undefined ? [] : [['clip', texts.clip.range(clipTimeText(start), clipTimeText(end))] as const]),
    ...(audioLanguage === undefined ? [] : [['audioLanguage', texts.audioIn(languageText(audioLanguage))] as const]),
    ...(subtitleLanguages === undefined
      ? []
      : [['subtitleLanguages', texts.subtitlesIn(listText(subtitleLanguages.map(languageText)))] as const]),
    ...(tags === undefined ? [] : [['tags', texts.tagsEdited] as const]),
  ];
}
