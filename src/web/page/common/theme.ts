import { useState } from 'preact/hooks';
import { html, type View } from './html.ts';

const STORAGE_KEY = 'millrace.theme';
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const names: Readonly<Record<Theme, string>> = { auto: 'System theme', light: 'Light', dark: 'Dark' };

/** Applies the theme that the visitor selected earlier. */
export function applyTheme(): void {
  applyToDocument(savedTheme());
}

/** Selects the light, the dark or the system theme. */
export function ThemeSwitch(): View {
  const [theme, setTheme] = useState(savedTheme);
  const select = (event: Event) => {
    const next = themes.find((name) => name === (event.currentTarget as HTMLSelectElement).value) ?? 'auto';
    setTheme(next);
    applyToDocument(next);
    try {
      localStorage.setItem(STORAGE_KEY, next);
    } catch (error) {
      // A browser without storage keeps the theme while the page is open.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return html`
    <label class="theme">
      <span class="unseen">Theme</span>
      <select value=${theme} onChange=${select}>
        ${themes.map((name) => html`<option value=${name} selected=${name === theme}>${names[name]}</option>`)}
      </select>
    </label>
  `;
}

function applyToDocument(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

function savedTheme(): Theme {
  try {
    const value = localStorage.getItem(STORAGE_KEY);
    return themes.find((name) => name === value) ?? 'auto';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return 'auto';
  }
}
