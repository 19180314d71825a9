/** The forms of a text by plural category. `#` stands for the count. */
export type PluralForms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * Creates the function that selects a plural form in a language: `plural(3, { one: '# item', other: '# items' })`.
 *
 * @param tag BCP 47 tag of the language.
 */
export function pluralIn(tag: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', numbers.format(count));
}
