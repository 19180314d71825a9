import Type, { type TString } from 'typebox';
import { countryCodes } from './country-codes.ts';

/** The language codes defined by the contract. */
const langCodes: readonly string[] = (
  'aa af ak am ar ay az be bg bi bm bn bs ca ce ch co cs cv cy da de dv dz ee el en es et eu fa ff fi fj fo fr ' +
  'fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz id ig is it ja jv ka kg kk kl km kn ko ku kw ky la lb lg ln ' +
  'lo lt lu lv mb mg mh mi mk ml mn mr ms mt my na nb nd ne nl nn no nr ny oc om or pa pl ps pt qu rm rn ro ru ' +
  'rw sc sd sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt ty uk ur uz ve vi wo ' +
  'xh yo zh zu'
).split(' ');

/**
 * Marks an enum whose values callers may write in any case. The reader of a parameter returns the value as the enum
 * lists it.
 */
export const anyCase = 'x-any-case';

/** Marks a parameter for which sending its default differs from omitting it. */
export const explicitDefault = 'x-outspoken';

/** Formats that every platform supports. */
export const generalFormats = ['lowres', 'midres', 'highres', 'all', 'all_highres', 'slideshow'] as const;

/** The country that the platform request is sent from. */
export const countryCodeParameter = Type.Enum([...countryCodes, 'worldwide'], {
  [anyCase]: true,
  description:
    'Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide.',
  examples: ['worldwide'],
});

/** The language of texts. */
export const langParameter = Type.Enum([...langCodes], {
  [anyCase]: true,
  description: 'Language of the returned texts: a case-insensitive two-letter ISO 639-1 code.',
  examples: ['de'],
});

/** The parts of a response that a caller can include or leave out. */
export const responseParts = [
  'contents',
  'contents.videos',
  'contents.audios',
  'contents.images',
  'contents.renderableVideos',
  'contents.renderableAudios',
  'metadata',
  'metadata.author',
  'metadata.comments',
  'metadata.playlist',
  'metadata.channel',
  'metadata.post',
  'metadata.hashtag',
  'metadata.transcript',
  'metadata.additionalData',
] as const;

/** A part of a response. */
export type ResponsePart = (typeof responseParts)[number];

/** Which parts of the response to include. */
export const fieldsParameter = Type.Array(Type.Enum([...responseParts, ...responseParts.map((part) => `-${part}`)]), {
  description:
    'Comma-separated parts of the response to include or, with a leading -, to leave out. Allowed parts: ' +
    `${responseParts.join(', ')}.`,
  examples: [['contents.videos', 'metadata.author']],
});

/** Whether media links point to the source or to this service. */
export const urlAccessParameter = Type.Enum(['normal', 'proxied'], {
  description: 'normal (default): links to the source; proxied: links through this service.',
  default: 'normal',
  examples: ['proxied'],
});

/** The page of a list; absent for the first page. */
export const nextTokenParameter = Type.String({
  description: 'The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged.',
});

/**
 * Creates the parameter for the formats to prepare renders for.
 *
 * @param formats The platform's own formats in addition to the general ones, or the schema of any format.
 */
export function renderableFormatsParameter(formats: readonly string[] | TString, description: string) {
  const item = 'type' in formats ? formats : Type.Enum([...generalFormats, ...formats]);
  return Type.Array(item, { description, uniqueItems: true, examples: [['lowres', 'highres']] });
}
