import { readStored, writeStored } from '../common/storage.ts';
import { createStore, useStore } from '../common/store.ts';
import { english } from './english.ts';
import type { Messages } from './messages.ts';

const STORAGE_KEY = 'millrace.language';

/** Milliseconds after which the page opens in English, and changes when its language has been loaded. */
const LOAD_TIMEOUT_MS = 2_000;

/** The languages of the page, by BCP 47 tag, each with its own name. English is loaded with the page. */
export const languages = {
  en: { name: 'English', load: async () => english },
  de: { name: 'Deutsch', load: async () => (await import('./german.ts')).german },
  es: { name: 'Español', load: async () => (await import('./spanish.ts')).spanish },
  fr: { name: 'Français', load: async () => (await import('./french.ts')).french },
  'pt-BR': {
    name: 'Português (Brasil)',
    load: async () => (await import('./brazilian-portuguese.ts')).brazilianPortuguese,
  },
  ja: { name: '日本語', load: async () => (await import('./japanese.ts')).japanese },
} as const satisfies Readonly<Record<string, { readonly name: string; load(): Promise<Messages> }>>;

/** The tag of a language of the page. */
export type LanguageTag = keyof typeof languages;

interface CurrentLanguage {
  readonly tag: LanguageTag;
  readonly messages: Messages;
}

const current = createStore<CurrentLanguage>({ tag: 'en', messages: english });

/** Returns the texts of the page in the current language. Call it when a text is shown, not when a module is loaded. */
export function messages(): Messages {
  return current.get().messages;
}

/** Returns the BCP 47 tag of the current language, for `Intl`. */
export function languageTag(): LanguageTag {
  return current.get().tag;
}

/** Renders a component again when the language changes. The root of the page uses it, so all others need not. */
export function useLanguage(): LanguageTag {
  return useStore(current).tag;
}

/** Shows the page in the language that the visitor selected earlier, or else in the first that the browser prefers. */
export async function applyLanguage(): Promise<void> {
  const shown = show(savedLanguage() ?? preferredLanguage(navigator.languages));
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, LOAD_TIMEOUT_MS))]);
}

/** Selects a language, and remembers it. */
export async function selectLanguage(tag: LanguageTag): Promise<void> {
  writeStored(STORAGE_KEY, tag);
  await show(tag);
}

/** Returns the language of the page that fits the preferences of a browser best: `de` for `de-AT`, or else English. */
export function preferredLanguage(preferences: readonly string[]): LanguageTag {
  for (const preference of preferences) {
    const [primary = ''] = preference.toLowerCase().split('-');
    const tag =
      tags.find((one) => one.toLowerCase() === preference.toLowerCase()) ??
      tags.find((one) => one.split('-', 1)[0] === primary);
    if (tag !== undefined) return tag;
  }
  return 'en';
}

// Every key of the table is a tag.
const tags = Object.keys(languages) as readonly LanguageTag[];

/** The language that was selected last. */
let wanted: LanguageTag = 'en';

/**
 * Shows the page in a language. If it cannot be loaded, as without a network, the page keeps the one that it has until
 * it is opened again: browsers do not load a module again that has failed.
 */
async function show(tag: LanguageTag): Promise<void> {
  wanted = tag;
  const loaded = await languages[tag].load().catch(() => undefined);
  // Another one was selected meanwhile.
  if (wanted !== tag) return;
  // A new object also without a new language, so that the selection on the page shows the language that is in use.
  current.set(loaded === undefined ? { ...current.get() } : { tag, messages: loaded });
  document.documentElement.lang = current.get().tag;
}

function savedLanguage(): LanguageTag | undefined {
  const saved = readStored(STORAGE_KEY);
  return tags.find((tag) => tag === saved);
}
