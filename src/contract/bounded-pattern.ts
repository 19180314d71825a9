/**
 * Creates the match function of a pattern whose matching takes more than linear time. Texts over `maxLength` characters
 * do not match. `npm run check:patterns` attacks the pattern at this length, so both arguments must be literals.
 */
export function boundedPattern(pattern: RegExp, maxLength: number): (text: string) => RegExpExecArray | null {
  return (text) => (text.length > maxLength ? null : pattern.exec(text));
}
