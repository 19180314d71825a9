import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { type LanguageTag, languages, languageTag, messages, selectLanguage } from '../language/language.ts';

/** Selects the language of the page. */
export function LanguageSelect(): View {
  const current = languageTag();
  const select = ({ currentTarget }: Event) =>
    // The options are the tags.
    void selectLanguage((currentTarget as HTMLSelectElement).value as LanguageTag);
  return html`
    <label class="setting">
      <span class="unseen">${messages().app.language}</span>
      <${Icon} name="language" />
      <select value=${current} onChange=${select}>
        ${Object.entries(languages).map(
          ([tag, { name }]) => html`<option value=${tag} lang=${tag} selected=${tag === current}>${name}</option>`,
        )}
      </select>
    </label>
  `;
}
