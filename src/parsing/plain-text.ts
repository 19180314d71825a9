const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** An HTML character reference: decimal, hexadecimal or named. */
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

/** Converts HTML to text: keeps line breaks, removes tags, decodes entities. Truncates at `maxLength` characters. */
export function plainText(html: string, maxLength: number): string {
  return html
    .replace(/<br\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(entity, decodeEntity)
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}

/** Decodes the character references of HTML text without tags. */
export function decodeEntities(html: string): string {
  return html.replace(entity, decodeEntity);
}

function decodeEntity(
  whole: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
