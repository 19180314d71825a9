/** Codes of the contract for which YouTube's list of interface languages has another code. */
const otherNames: Readonly<Record<string, string>> = { he: 'iw', nb: 'no', nn: 'no', tl: 'fil', zh: 'zh-CN' };

/**
 * The language in which counts and dates are parsed. Regional variants of English use other formats ("23.2k", "bn").
 */
export const parsedLanguage = 'en';

/** Returns YouTube's code for a language code of the contract. */
export function interfaceLanguage(lang: string): string {
  return otherNames[lang] ?? lang;
}
