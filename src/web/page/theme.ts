import { useState } from 'preact/hooks';
import { html, type View } from './html.ts';

const NAME = 'millrace.theme';
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const names: Readonly<Record<Theme, string>> = { auto: 'As the system', light: 'Light', dark: 'Dark' };

/** Takes the colours that were chosen before. */
export function applyTheme(): void {
  show(chosen());
}

/** Chooses between light, dark, and what the system has. */
export function ThemeSwitch(): View {
  const [theme, setTheme] = useState(chosen);
  const choose = (event: Event) => {
    const next = themes.find((name) => name === (event.currentTarget as HTMLSelectElement).value) ?? 'auto';
    setTheme(next);
    show(next);
    try {
      localStorage.setItem(NAME, next);
    } catch (error) {
      // A browser that keeps nothing shows it as long as the page is open.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return html`
    <label class="theme">
      <span class="unseen">Colours</span>
      <select value=${theme} onChange=${choose}>
        ${themes.map((name) => html`<option value=${name} selected=${name === theme}>${names[name]}</option>`)}
      </select>
    </label>
  `;
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

function chosen(): Theme {
  try {
    const kept = localStorage.getItem(NAME);
    return themes.find((name) => name === kept) ?? 'auto';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return 'auto';
  }
}
