/** Codes of the contract that YouTube knows by another name in its list of interface languages. */
const otherNames: Readonly<Record<string, string>> = { he: 'iw', nb: 'no', nn: 'no', tl: 'fil', zh: 'zh-CN' };

/** The language whose counts and dates are parsed. Regional English writes them in other ways ("23.2k", "bn"). */
export const parsedLanguage = 'en';

/** The name that YouTube has for a language code of the contract. */
export function interfaceLanguage(lang: string): string {
  return otherNames[lang] ?? lang;
}
