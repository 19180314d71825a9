import { latin1, u16, u32 } from '../../binary/big-endian.ts';
import { FieldReader } from '../../binary/field-reader.ts';
import type { Cover } from '../../tags/cover.ts';
import type { StoredAdditions } from '../../tags/stored-additions.ts';
import { cleanTags, formatNumberPair, readNumberPair, type TagName, type Tags } from '../../tags/tags.ts';
import { type Box, childBoxes, optionalBox } from '../box-reader.ts';
import { box, fullBox } from '../box-writer.ts';

/** The items of tags, as iTunes and FFmpeg name them. `\xa9` is the copyright sign in their names. */
const textItems = {
  title: '\xa9nam',
  artist: '\xa9ART',
  album: '\xa9alb',
  album_artist: 'aART',
  date: '\xa9day',
  description: 'desc',
  comment: '\xa9cmt',
  url: '\xa9url',
  genre: '\xa9gen',
  composer: '\xa9wrt',
  copyright: 'cprt',
} as const satisfies Partial<Record<TagName, string>>;
const textNames = Object.keys(textItems) as (keyof typeof textItems)[];
const numberItems = { track: 'trkn', disc: 'disk' } as const;
const numberNames = ['track', 'disc'] as const;
/** Tags without a standard item, which players know by these names in the namespace of iTunes. */
const freeformNames = ['replaygain_track_gain', 'replaygain_track_peak'] as const;
const freeformItem = '----';
const freeformNamespace = 'com.apple.iTunes';
/** Item of a long description. Some players show at most {@link shortDescription} characters of the short one. */
const longDescription = 'ldes';
const shortDescription = 255;
const coverItem = 'covr';

/** Types of the values of items (QuickTime File Format, "Well-known types"). */
const valueTypes = { number: 0, text: 1, jpeg: 13, png: 14 } as const;

/**
 * Returns a `meta` box with tags and a cover.
 *
 * @param previous - body of the `meta` box that it replaces. Its other items are kept, such as the name of the program.
 * @throws FastPathDeclined if the previous box is damaged.
 */
export function metadataBox(tags: Tags, cover: Cover | undefined, previous: Buffer | undefined): Buffer {
  const items = [...tagItems(tags), ...(cover === undefined ? [] : [coverBox(cover)])];
  const written = new Set(items.map((item) => item.toString('latin1', 4, 8)));
  const keptItems = previous === undefined ? [] : itemsOf(previous).filter(({ type }) => !written.has(type));
  return fullBox(
    'meta',
    0,
    0,
    // The handler that marks the list as that of iTunes.
    fullBox('hdlr', 0, 0, u32(0), latin1('mdirappl'), u32(0, 0), Buffer.of(0)),
    box('ilst', ...keptItems.map(({ bytes }) => bytes), ...items),
  );
}

function tagItems(tags: Tags): Buffer[] {
  const text = (item: string, value: string) => valueBox(item, valueTypes.text, Buffer.from(value));
  const { description = '' } = tags;
  return [
    ...textNames.flatMap((name) => {
      const value = tags[name];
      return value === undefined ? [] : [text(textItems[name], value)];
    }),
    ...(description.length > shortDescription ? [text(longDescription, description)] : []),
    ...freeformNames.flatMap((name) => {
      const value = tags[name];
      return value === undefined ? [] : [freeformBox(name, value)];
    }),
    ...numberNames.flatMap((name) => {
      const pair = readNumberPair(tags[name] ?? '');
      return pair === undefined ? [] : [valueBox(numberItems[name], valueTypes.number, u16(0, ...pair, 0))];
    }),
  ];
}

function coverBox({ type, bytes }: Cover): Buffer {
  return valueBox(coverItem, type === 'image/png' ? valueTypes.png : valueTypes.jpeg, bytes);
}

function freeformBox(name: string, value: string): Buffer {
  return box(
    freeformItem,
    fullBox('mean', 0, 0, latin1(freeformNamespace)),
    fullBox('name', 0, 0, latin1(name)),
    box('data', u32(valueTypes.text, 0), Buffer.from(value)),
  );
}

/** Builds an item: its value has a type, and no locale. */
function valueBox(item: string, type: number, value: Buffer): Buffer {
  return box(item, box('data', u32(type, 0), value));
}

/**
 * Reads the tags and the first cover in the body of a `meta` box.
 *
 * @throws FastPathDeclined if it is damaged.
 */
export function readMetadataBox(meta: Buffer): StoredAdditions {
  const items = itemsOf(meta);
  const itemValue = (type: string) => {
    const item = items.find((each) => each.type === type);
    return item === undefined ? undefined : firstValue(item);
  };
  const pairOf = (type: string) => {
    const value = itemValue(type);
    if (value === undefined) return undefined;
    const fields = new FieldReader(value);
    fields.skip(2);
    return formatNumberPair([fields.u16(), fields.u16()]);
  };
  const texts = textNames.map((name) => [name, itemValue(textItems[name])?.toString('utf8')] as const);
  const cover = itemValue(coverItem);
  return {
    tags: cleanTags({
      ...Object.fromEntries(texts),
      ...Object.fromEntries(freeformNames.map((name) => [name, readFreeform(items, name)])),
      ...Object.fromEntries(numberNames.map((name) => [name, pairOf(numberItems[name])])),
    }),
    ...(cover === undefined ? {} : { cover }),
  };
}

/** Returns the items of a `meta` box, given its body. */
function itemsOf(meta: Buffer): Box[] {
  const fields = new FieldReader(meta);
  fields.versionAndFlags();
  const list = optionalBox(childBoxes(fields.bytes(fields.remaining)), 'ilst');
  return list === undefined ? [] : childBoxes(list);
}

/** Returns the value of the item with a name in the namespace of iTunes. */
function readFreeform(items: readonly Box[], name: string): string | undefined {
  const item = items.find(({ type, body }) => {
    if (type !== freeformItem) return false;
    const nameBox = optionalBox(childBoxes(body), 'name');
    return nameBox?.toString('latin1', 4).toLowerCase() === name;
  });
  return item === undefined ? undefined : firstValue(item)?.toString('utf8');
}

/** Returns the first value of an item. */
function firstValue({ body }: Box): Buffer | undefined {
  const data = childBoxes(body).find(({ type }) => type === 'data');
  if (data === undefined) return undefined;
  const fields = new FieldReader(data.body);
  fields.skip(8);
  return fields.bytes(fields.remaining);
}
