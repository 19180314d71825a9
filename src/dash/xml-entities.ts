import { manifestFault } from './manifest-fault.ts';

/** The entities that XML itself knows (XML 1.0 §4.6); there are no others, for declarations are refused. */
const predefinedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Replaces references to characters by what they mean, once. An ampersand that begins no reference stays one: some
 * writers of links forget to escape it.
 *
 * @param offset Where the text stands in the manifest.
 * @throws MillraceError `invalid_response_data` for an entity that XML does not know, and for no character.
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
  if (character === undefined) throw manifestFault(offset, 'refers to an entity that XML does not know');
  return character;
}

function decodeCharacter(code: string, offset: number): string {
  const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
  if (point === 0 || point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw manifestFault(offset, 'refers to a character that does not exist');
  }
  return String.fromCodePoint(point);
}
