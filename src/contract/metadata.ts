import Type, { type TProperties, type TSchema } from 'typebox';

/** The token of the next page of a list; null on the last page. */
const nextToken = Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
  description: 'Send it with the same parameters to get the next page. null on the last page.',
});

/** An entry of a list. Its other members depend on its type. */
const listItem = Type.Object(
  {
    type: Type.String({ minLength: 1, description: 'video, short, playlist, channel, post, comment, reel, photo, …' }),
    id: Type.String({ minLength: 1 }),
  },
  { additionalProperties: true },
);

const items = Type.Array(listItem);

/** A page of a list. */
const page = Type.Object({ contents: items, nextToken }, { additionalProperties: true });

/** An object whose other members depend on the platform. */
const extensible = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: true });

/** Creates an optional object member whose TypeScript type is a record of unknown values. */
function openMember(schema: TSchema, description: string) {
  return Type.Optional(Type.Unsafe<Record<string, unknown>>({ ...schema, description }));
}

const author = extensible({ reels: Type.Optional(page), photos: Type.Optional(page) });

const comments = extensible({
  header: Type.Optional(extensible({ count: Type.Optional(Type.Integer({ minimum: 0 })) })),
  threads: items,
  nextToken,
});

const playlist = extensible({
  info: Type.Optional(extensible({ id: Type.String({ minLength: 1 }) })),
  videos: items,
  messages: Type.Optional(Type.Array(Type.String())),
  nextToken,
});

const channel = extensible({
  channelId: Type.Optional(Type.String({ minLength: 1 })),
  videos: Type.Optional(page),
  shorts: Type.Optional(page),
  livestreams: Type.Optional(page),
  playlists: Type.Optional(page),
  releases: Type.Optional(page),
  podcasts: Type.Optional(page),
  posts: Type.Optional(page),
});

const hashtag = extensible({ tag: Type.String({ minLength: 1 }), contents: items, nextToken });

const transcript = Type.Object({
  languages: Type.Array(Type.String(), { description: 'Available languages, whether or not one was requested.' }),
  selectedLanguage: Type.Optional(Type.String()),
  transcript: Type.Optional(
    extensible({
      language: Type.String(),
      kind: Type.Enum(['manual', 'auto']),
      segments: Type.Array(
        Type.Object({
          startMs: Type.Number({ minimum: 0 }),
          durationMs: Type.Number({ minimum: 0 }),
          text: Type.String(),
        }),
      ),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why there is no transcript. The rest of the response is valid.' })),
});

const additionalData = extensible({
  searchResults: Type.Optional(
    extensible({ results: items, estimated_results: Type.Optional(Type.Integer({ minimum: 0 })), nextToken }),
  ),
  searchSuggestions: Type.Optional(Type.Array(Type.String())),
});

/** The schemas of the parts of {@link contentMetadataSchema}, by their names in the OpenAPI documents. */
export const metadataParts = {
  ListItem: listItem,
  ListPage: page,
  Author: author,
  Comments: comments,
  Playlist: playlist,
  Channel: channel,
  Hashtag: hashtag,
  Transcript: transcript,
  AdditionalData: additionalData,
};

/** All data of a result other than media files. */
export const contentMetadataSchema = Type.Object({
  title: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String({ pattern: '^https?://', description: 'URL of the thumbnail image.' })),
  author: openMember(author, 'The author of the content.'),
  comments: openMember(comments, 'Comments, and the nextToken of the next page.'),
  playlist: openMember(playlist, 'A playlist and a page of its videos.'),
  channel: openMember(channel, 'A channel, or one page of its content.'),
  post: openMember(listItem, 'A post with its images, poll or quiz.'),
  hashtag: openMember(hashtag, 'A hashtag and one page of its content.'),
  transcript: openMember(transcript, 'Transcript of a video.'),
  additionalData: openMember(
    additionalData,
    'Other data of the platform: statistics, dates, search results. New fields may be added.',
  ),
});

/** All data of a result other than media files. */
export type ContentMetadata = Type.Static<typeof contentMetadataSchema>;

/** A type whose objects may have any further members. */
type Open<T> = T extends readonly (infer Item)[]
  ? Open<Item>[]
  : T extends object
    ? { [Name in keyof T]: Open<T[Name]> } & Record<string, unknown>
    : T;

/** An entry of a list. */
export type ListItem = Open<Type.Static<typeof listItem>>;

/** The metadata of a result as callers read it, with the documented members of each part. */
export interface KnownMetadata {
  title?: string;
  thumbnailUrl?: string;
  author?: Open<Type.Static<typeof author>>;
  comments?: Open<Type.Static<typeof comments>>;
  playlist?: Open<Type.Static<typeof playlist>>;
  channel?: Open<Type.Static<typeof channel>>;
  post?: ListItem;
  hashtag?: Open<Type.Static<typeof hashtag>>;
  transcript?: Open<Type.Static<typeof transcript>>;
  additionalData?: Open<Type.Static<typeof additionalData>>;
}
