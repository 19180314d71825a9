import { useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { readStored, writeStored } from '../common/storage.ts';
import { messages } from '../language/language.ts';

const STORAGE_KEY = 'millrace.theme';
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Applies the theme that the visitor selected earlier. */
export function applyTheme(): void {
  applyToDocument(savedTheme());
}

/** Selects the light, the dark or the system theme. */
export function ThemeSwitch(): View {
  const [theme, setTheme] = useState(savedTheme);
  const { theme: texts } = messages().app;
  const select = (event: Event) => {
    const next = themes.find((name) => name === (event.currentTarget as HTMLSelectElement).value) ?? 'auto';
    setTheme(next);
    applyToDocument(next);
    writeStored(STORAGE_KEY, next);
  };
  return html`
    <label class="setting">
      <span class="unseen">${texts.label}</span>
      <${Icon} name="theme" />
      <select value=${theme} onChange=${select}>
        ${themes.map((name) => html`<option value=${name} selected=${name === theme}>${texts[name]}</option>`)}
      </select>
    </label>
  `;
}

function applyToDocument(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

function savedTheme(): Theme {
  const saved = readStored(STORAGE_KEY);
  return themes.find((name) => name === saved) ?? 'auto';
}
