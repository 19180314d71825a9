import type { ExtractedContent } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { capitalise, languageText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import type { QueryResult } from '../query/query-result.ts';
import {
  type AudioLanguage,
  audioLanguagesOf,
  type SubtitleLanguage,
  subtitleLanguagesOf,
  transcriptLanguagesOf,
} from './item-languages.ts';
import { type ItemOptions, withoutOption } from './item-options.ts';
import { SubtitleFiles } from './subtitle-files.ts';

interface LanguagesPanelProps extends QueryResult {
  readonly content: ExtractedContent;
  readonly options: ItemOptions;
  readonly onChange: (options: ItemOptions) => void;
}

/** Lets a visitor select the language of the audio, add subtitles to the video, and save subtitles as files. */
export function LanguagesPanel({ query, result, content, options, onChange }: LanguagesPanelProps): View {
  const audioLanguages = audioLanguagesOf(content);
  const subtitleLanguages = subtitleLanguagesOf(result);
  const transcriptLanguages = transcriptLanguagesOf(result);
  return html`
    ${
      audioLanguages.length > 1
        ? html`<${AudioSelect}
            languages=${audioLanguages} selected=${options.audioLanguage}
            onSelect=${(audioLanguage: string | undefined) =>
              onChange(
                audioLanguage === undefined ? withoutOption(options, 'audioLanguage') : { ...options, audioLanguage },
              )}
          />`
        : null
    }
    ${
      subtitleLanguages.length > 0
        ? html`<${SubtitleChecks}
            languages=${subtitleLanguages} selected=${options.subtitleLanguages ?? []}
            onSelect=${(selected: readonly string[]) =>
              onChange(
                selected.length === 0
                  ? withoutOption(options, 'subtitleLanguages')
                  : { ...options, subtitleLanguages: selected },
              )}
          />`
        : null
    }
    ${
      transcriptLanguages.length > 0
        ? html`<${SubtitleFiles} query=${query} result=${result} languages=${transcriptLanguages} clip=${options.clip} />`
        : null
    }
  `;
}

interface AudioSelectProps {
  readonly languages: readonly AudioLanguage[];
  readonly selected: string | undefined;
  readonly onSelect: (language: string | undefined) => void;
}

function AudioSelect({ languages, selected, onSelect }: AudioSelectProps): View {
  const { languages: texts } = messages().tools;
  const preset = languages.find(({ isDefault }) => isDefault);
  const others = languages.filter((language) => language !== preset);
  return html`
    <label class="labelled">
      <span>${texts.audio}</span>
      <select
        value=${selected ?? ''}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => onSelect(currentTarget.value || undefined)}
      >
        <option value="">${preset === undefined ? texts.asPublished : capitalise(texts.byDefault(languageText(preset.tag)))}</option>
        ${others.map(({ tag }) => html`<option key=${tag} value=${tag}>${capitalise(languageText(tag))}</option>`)}
      </select>
    </label>
  `;
}

interface SubtitleChecksProps {
  readonly languages: readonly SubtitleLanguage[];
  readonly selected: readonly string[];
  readonly onSelect: (languages: readonly string[]) => void;
}

/** Maximum number of languages in a request. */
const MAX_SELECTED = 15;

function SubtitleChecks({ languages, selected, onSelect }: SubtitleChecksProps): View {
  const { languages: texts } = messages().tools;
  const toggle = (tag: string) =>
    onSelect(selected.includes(tag) ? selected.filter((one) => one !== tag) : [...selected, tag]);
  return html`
    <fieldset class="checks">
      <legend>${texts.subtitles}</legend>
      <p class="soft small">${texts.addHint}</p>
      <ul>
        ${languages.map(
          ({ tag, isAutomatic }) => html`<li key=${tag}>
            <label>
              <input
                type="checkbox" checked=${selected.includes(tag)} onChange=${() => toggle(tag)}
                disabled=${selected.length >= MAX_SELECTED && !selected.includes(tag)}
              />
              ${texts.add(languageText(tag))} ${isAutomatic ? html`<span class="soft small">${texts.automatic}</span>` : null}
            </label>
          </li>`,
        )}
      </ul>
    </fieldset>
  `;
}
