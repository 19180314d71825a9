import { visibleLine } from './visible.ts';

/** Returns the character cells of a text in a terminal; wide characters of East Asia and emoji take two (UAX 11). */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|[\u200c\u200d]/u.test(character)) continue;
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

/** Cuts a text to a number of cells, with an ellipsis. */
export function fitted(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let start = '';
  for (const character of text) {
    if (widthOf(start + character) > cells - 1) break;
    start += character;
  }
  return `${start}…`;
}

/** Formats rows as lines with aligned columns. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(visibleLine));
  const widths = cells.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(widthOf(cell), most[at] ?? 0)),
    [],
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd();
  return cells.map((row) => `${line(row)}\n`).join('');
}
