import { useState } from 'preact/hooks';
import { transcriptText } from '#client/transcript-text.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { saveText } from '../common/save-text.ts';
import { capitalise, languageText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { describeError } from '../problems/error-text.ts';
import { titleOf } from '../query/media-facts.ts';
import type { QueryResult } from '../query/query-result.ts';
import { fetchSubtitles } from './fetch-subtitles.ts';
import type { ClipRange } from './item-options.ts';

/** The formats of subtitle files, by their extension: the format of the transcript, and the media type. */
const formats = {
  srt: { transcript: 'srt', mediaType: 'application/x-subrip' },
  vtt: { transcript: 'vtt', mediaType: 'text/vtt' },
  txt: { transcript: 'text', mediaType: 'text/plain' },
} as const;

type Extension = keyof typeof formats;

// Every key of the table is an extension.
const extensions = Object.keys(formats) as readonly Extension[];

interface SubtitleFilesProps extends QueryResult {
  readonly languages: readonly string[];
  readonly clip?: ClipRange | undefined;
}

/** Saves the subtitles of an item as files, cut to its clip. */
export function SubtitleFiles({ query, result, languages, clip }: SubtitleFilesProps): View {
  const { languages: texts } = messages().tools;
  const [extension, setExtension] = useState<Extension>('srt');
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const save = async (language: string) => {
    if (busy !== undefined) return;
    setBusy(language);
    setFailure(undefined);
    try {
      const segments = await fetchSubtitles(query, language, clip);
      const { transcript, mediaType } = formats[extension];
      saveText(transcriptText(segments, transcript), mediaType, `${titleOf(result)}.${language}`, `.${extension}`);
      announce(texts.saved(languageText(language)));
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(undefined);
    }
  };
  return html`
    <div class="subtitle-files" role="group" aria-label=${texts.save}>
      <h3>${texts.save}</h3>
      <label class="labelled">
        <span>${texts.format}</span>
        <select
          value=${extension}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            setExtension(extensions.find((one) => one === currentTarget.value) ?? extension)}
        >
          ${extensions.map((one) => html`<option key=${one} value=${one}>${texts.formats[one]}</option>`)}
        </select>
      </label>
      <p class="actions">
        ${languages.map(
          (language) => html`<button
            type="button" key=${language} aria-label=${texts.saveIn(languageText(language))}
            aria-busy=${busy === language} onClick=${() => void save(language)}
          >
            <${Icon} name="download" /> ${busy === language ? texts.saving : capitalise(languageText(language))}
          </button>`,
        )}
      </p>
      ${failure === undefined ? null : html`<p class="fault small" role="alert">${failure}</p>`}
    </div>
  `;
}
