import { manifestFault } from './manifest-fault.ts';

/** The predefined entities of XML (XML 1.0 §4.6). There are no others, because declarations are rejected. */
const predefinedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Replaces character and entity references; the result is not decoded again. An ampersand that does not start a
 * reference is kept, because some sites do not escape the ampersands in links.
 */
export function decodeEntities(text: string, offset: number): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7}|x[0-9a-f]{1,6})|([a-z_][\w.-]{0,40}));/gi,
    (whole, code?: string, name?: string) =>
      code === undefined ? decodeNamedEntity(name ?? whole, offset) : decodeCharacter(code, offset),
  );
}

function decodeNamedEntity(name: string, offset: number): string {
  const character = predefinedEntities.get(name);
  if (character === undefined) throw manifestFault(offset, 'the entity is unknown');
  return character;
}

function decodeCharacter(code: string, offset: number): string {
  const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
  if (point === 0 || point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw manifestFault(offset, 'the character reference is invalid');
  }
  return String.fromCodePoint(point);
}
