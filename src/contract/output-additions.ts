import Type from 'typebox';
import { additionLimits } from './addition-limits.ts';
import { maxClipSeconds } from './clip.ts';
import type { FieldFault } from './errors.ts';
import { languageTagPattern } from './language-tag.ts';
import { normalizeRequest, type RequestOptions, requestOptionsSchema } from './request-options.ts';
import { urlFaults } from './url-faults.ts';

export { additionLimits };

const closed = { additionalProperties: false } as const;
const text = (description: string, maxLength: number = additionLimits.text) =>
  Type.Optional(Type.String({ maxLength, description }));

/** Tags that players and libraries display. */
export const metadataSchema = Type.Object(
  {
    title: text('Title.'),
    artist: text('Artist.'),
    album: text('Album.'),
    albumArtist: text('Artist of the whole album.'),
    date: Type.Optional(
      Type.String({
        pattern: '^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$',
        description: 'Date: 2026, 2026-11 or 2026-11-26.',
      }),
    ),
    description: text('Description; may have several lines.', additionLimits.longText),
    comment: text('Comment; may have several lines.', additionLimits.longText),
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'Link to the source, an http or https URL.' })),
    genre: text('Genre.'),
    track: Type.Optional(
      Type.String({ pattern: '^([0-9]{1,4}(/[0-9]{1,4})?)?$', description: 'Number of the track, such as 3 or 3/12.' }),
    ),
  },
  {
    ...closed,
    description: 'Tags of the result. They take precedence over those of the inputs. Empty ones are ignored.',
  },
);

/** Tags that players and libraries display. None is empty. */
export type OutputMetadata = Readonly<Partial<Record<keyof Type.Static<typeof metadataSchema>, string>>>;

/** The names of the tags. */
export const metadataNames = Object.keys(metadataSchema.properties) as (keyof OutputMetadata)[];

const urlSchema = Type.String({ minLength: 1, maxLength: 16_384, description: 'An http or https URL.' });

/** An image that players display for the file. */
export const coverSchema = Type.Object(
  { url: urlSchema, requestOptions: requestOptionsSchema },
  {
    ...closed,
    description:
      'Cover image: JPEG, PNG or WebP, up to 10 MB. It takes precedence over those of the inputs. If it cannot be ' +
      'fetched or stored, the result has a note.',
  },
);

/** The chapters of a result. */
export const chaptersSchema = Type.Array(
  Type.Object(
    {
      start: Type.Number({ minimum: 0, maximum: maxClipSeconds, description: 'Start in seconds.' }),
      title: Type.String({ maxLength: additionLimits.chapterTitle }),
    },
    closed,
  ),
  {
    maxItems: additionLimits.chapters,
    description:
      'Chapters. They take precedence over those of the inputs, and count from the start of the media, not of a clip.',
  },
);

/** The formats in which subtitles can be supplied. */
export const subtitleFormats = ['srt', 'vtt', 'json3'] as const;

/** A format in which subtitles can be supplied. */
export type SubtitleFormat = (typeof subtitleFormats)[number];

/** Subtitles to add to a result. */
export const subtitlesSchema = Type.Array(
  Type.Object(
    {
      url: Type.Optional(urlSchema),
      content: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: additionLimits.subtitleContent,
          description: 'The subtitles themselves, in place of a URL.',
        }),
      ),
      format: Type.Enum([...subtitleFormats]),
      language: Type.Optional(
        Type.String({ pattern: languageTagPattern, maxLength: 35, description: 'Language tag, such as de or pt-BR.' }),
      ),
      title: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the track in players.' })),
      default: Type.Optional(
        Type.Boolean({ description: 'Whether players display it without being asked.', default: false }),
      ),
      requestOptions: requestOptionsSchema,
    },
    closed,
  ),
  {
    maxItems: additionLimits.subtitles,
    description:
      'Subtitle tracks to add, each from a URL (up to 5 MB) or with its content. Those that cannot be fetched, read or ' +
      'stored are left out, with a note.',
  },
);

/** An outside file that a job adds to its result. */
export interface AdditionSource {
  readonly url: string;
  readonly request: RequestOptions;
}

/** Subtitles that a job adds to its result: their source, or their content. */
export interface AddedSubtitles {
  readonly source: AdditionSource | { readonly content: string };
  readonly format: SubtitleFormat;
  readonly language?: string;
  readonly title?: string;
  readonly default: boolean;
}

/** A chapter to write, in seconds from the start of the media. */
export interface AddedChapter {
  readonly start: number;
  readonly title: string;
}

/** What a job adds to its result, besides the media of its inputs. */
export interface OutputAdditions {
  readonly metadata?: OutputMetadata;
  readonly cover?: AdditionSource;
  readonly chapters?: readonly AddedChapter[];
  readonly subtitles?: readonly AddedSubtitles[];
}

/** The members of a job's output that add to the result. */
export const additionMembers = {
  metadata: Type.Optional(metadataSchema),
  cover: Type.Optional(coverSchema),
  chapters: Type.Optional(chaptersSchema),
  subtitles: Type.Optional(subtitlesSchema),
};

interface DescribedAdditions {
  readonly metadata?: Type.Static<typeof metadataSchema>;
  readonly cover?: Type.Static<typeof coverSchema>;
  readonly chapters?: Type.Static<typeof chaptersSchema>;
  readonly subtitles?: Type.Static<typeof subtitlesSchema>;
}

/** The outside files of a description, with their paths in it. */
export function additionRequests({ cover, subtitles = [] }: DescribedAdditions) {
  return [
    ...(cover === undefined ? [] : [{ path: 'output.cover', ...cover }]),
    ...subtitles.map((one, at) => ({ path: `output.subtitles.${at}`, ...one })),
  ];
}

/** Finds what the schemas of the additions cannot express. */
export function additionFaults(output: DescribedAdditions): FieldFault[] {
  const { metadata, subtitles = [] } = output;
  const link = metadata?.url ?? '';
  return [
    ...(link === '' ? [] : urlFaults('output.metadata.url', link)),
    ...additionRequests(output).flatMap(({ path, url }) => (url === undefined ? [] : urlFaults(`${path}.url`, url))),
    ...subtitles.flatMap(({ url, content, requestOptions }, at): FieldFault[] => {
      const path = `output.subtitles.${at}`;
      if ((url === undefined) === (content === undefined))
        return [{ path, message: 'must have either url or content' }];
      if (url !== undefined || requestOptions === undefined) return [];
      return [{ path: `${path}.requestOptions`, message: 'requires url' }];
    }),
  ];
}

/** Fills in the defaults of the additions, and drops empty ones. */
export function normalizeAdditions({ metadata = {}, cover, chapters, subtitles }: DescribedAdditions): OutputAdditions {
  const tags = Object.entries(metadata).filter(([, value]) => value.trim() !== '');
  return {
    ...(tags.length === 0 ? {} : { metadata: Object.fromEntries(tags) }),
    ...(cover === undefined ? {} : { cover: { url: cover.url, request: normalizeRequest(cover.requestOptions) } }),
    ...(chapters === undefined ? {} : { chapters }),
    ...(subtitles === undefined || subtitles.length === 0 ? {} : { subtitles: subtitles.map(normalizeSubtitles) }),
  };
}

function normalizeSubtitles({
  url,
  content = '',
  format,
  language,
  title,
  default: isDefault = false,
  requestOptions,
}: Type.Static<typeof subtitlesSchema>[number]): AddedSubtitles {
  return {
    source: url === undefined ? { content } : { url, request: normalizeRequest(requestOptions) },
    format,
    ...(language === undefined ? {} : { language }),
    ...(title === undefined || title.trim() === '' ? {} : { title }),
    default: isDefault,
  };
}
