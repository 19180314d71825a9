import { parseUrl } from '../contract/parse-url.ts';
import { queryParameter } from '../contract/query-parameters.ts';
import { attributeTags } from './allowed-tags.ts';
import { parseAttributes } from './attribute-list.ts';
import { playlistFault } from './playlist-fault.ts';
import type { PlaylistLine } from './playlist-lines.ts';

/** Variables by name, such as those that media playlists import from their master playlist. */
export type PlaylistVariables = Readonly<Record<string, string>>;

/** Maximum number of variables, and of characters of all their values. They become part of relayed links. */
const MAX_VARIABLES = 100;
const MAX_VALUES_LENGTH = 8_192;
/** Maximum number of characters that values add to a line, and to a playlist: each may occur many times. */
const MAX_ADDED_TO_LINE = 65_536;
const MAX_ADDED = 4 * 1024 * 1024;

const namePattern = /^[\w-]+$/;
const referencePattern = /\{\$([\w-]+)\}/g;

/** The variables of a playlist (`EXT-X-DEFINE`, draft-pantos-hls-rfc8216bis-17). */
export interface Variables {
  /** The variables so far. */
  readonly values: PlaylistVariables;
  /**
   * Yields the lines with the values of variables: URIs, and tags with attributes. Definitions become lines without a
   * meaning.
   *
   * @throws MillraceError `invalid_response_data` for an invalid definition, or a variable that is not defined.
   */
  replaceIn(lines: Iterable<PlaylistLine>): Generator<PlaylistLine>;
}

/**
 * Creates the variables of a playlist.
 *
 * @param url Address of the playlist, whose query can define variables.
 * @param imported Those of its master playlist.
 */
export function createVariables(url: string, imported: PlaylistVariables = {}): Variables {
  const values = new Map<string, string>();
  let address: URL | null | undefined;
  let valuesLength = 0;
  let added = 0;

  function define(tag: string, line: number): void {
    const attributes = parseAttributes(tag, line);
    const importedName = attributes.get('IMPORT');
    const name = attributes.get('NAME') ?? importedName ?? attributes.get('QUERYPARAM') ?? '';
    if (!namePattern.test(name)) throw playlistFault(line, 'defines a variable without a name');
    if (values.has(name)) throw playlistFault(line, `defines the variable ${name} again`);
    if (values.size === MAX_VARIABLES) throw playlistFault(line, `defines more than ${MAX_VARIABLES} variables`);
    const value = attributes.has('NAME') ? attributes.get('VALUE') : outside(name, importedName !== undefined);
    if (value === undefined) throw playlistFault(line, `defines the variable ${name} without a value`);
    valuesLength += value.length;
    if (valuesLength > MAX_VALUES_LENGTH)
      throw playlistFault(line, `defines variables of more than ${MAX_VALUES_LENGTH} characters`);
    values.set(name, value);
  }

  /** Returns the value of a variable that the master playlist or the query of the address defines. */
  function outside(name: string, isImported: boolean): string | undefined {
    if (isImported) return Object.hasOwn(imported, name) ? imported[name] : undefined;
    address ??= parseUrl(url);
    const value = queryParameter(address, name) ?? '';
    // A quotation mark would end the attribute that contains it.
    return value === '' || /["\r\n]/.test(value) ? undefined : value;
  }

  function replace(text: string, line: number): string {
    if (!text.includes('{$')) return text;
    const before = added;
    return text.replaceAll(referencePattern, (_reference, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw playlistFault(line, `uses the variable ${name}, which is not defined`);
      added += value.length;
      if (added - before > MAX_ADDED_TO_LINE || added > MAX_ADDED)
        throw playlistFault(line, 'repeats the values of variables too often');
      return value;
    });
  }

  return {
    get values() {
      return Object.fromEntries(values);
    },
    *replaceIn(lines) {
      for (const line of lines) {
        const { number } = line;
        if (line.kind === 'skipped') yield line;
        else if (line.kind === 'uri') yield { ...line, uri: replace(line.uri, number) };
        else if (line.name === 'EXT-X-DEFINE') {
          define(line.value, number);
          // Its reader pauses after each line.
          yield { kind: 'skipped', number };
        } else if (attributeTags.has(line.name)) yield { ...line, value: replace(line.value, number) };
        else yield line;
      }
    },
  };
}
