import Type, { type TProperties, type TSchema } from 'typebox';

/** Where the next page of a list is: null on the last one. */
const nextToken = Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
  description: 'Send it with the same parameters to get the next page; null on the last one.',
});

/** An entry of a list; what it tells beside these depends on its type. */
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

/** Members that are known of an object that follows its platform and can gain more. */
const known = <Members extends TProperties>(members: Members) => Type.Object(members, { additionalProperties: true });

/** An object that follows its platform: known to callers by the schema, to code as any record. */
function open(schema: TSchema, description: string) {
  return Type.Optional(Type.Unsafe<Record<string, unknown>>({ ...schema, description }));
}

const author = known({ reels: Type.Optional(page), photos: Type.Optional(page) });

const comments = known({
  header: Type.Optional(known({ count: Type.Optional(Type.Integer({ minimum: 0 })) })),
  threads: items,
  nextToken,
});

const playlist = known({
  info: Type.Optional(known({ id: Type.String({ minLength: 1 }) })),
  videos: items,
  messages: Type.Optional(Type.Array(Type.String())),
  nextToken,
});

const channel = known({
  channelId: Type.Optional(Type.String({ minLength: 1 })),
  videos: Type.Optional(page),
  shorts: Type.Optional(page),
  livestreams: Type.Optional(page),
  playlists: Type.Optional(page),
  releases: Type.Optional(page),
  podcasts: Type.Optional(page),
  posts: Type.Optional(page),
});

const hashtag = known({ tag: Type.String({ minLength: 1 }), contents: items, nextToken });

const transcript = Type.Object({
  languages: Type.Array(Type.String(), { description: 'Languages that there are, whether or not one was asked for.' }),
  selectedLanguage: Type.Optional(Type.String()),
  transcript: Type.Optional(
    known({
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
  error: Type.Optional(Type.String({ description: 'Why there is no transcript; the rest of the answer is valid.' })),
});

const additionalData = known({
  searchResults: Type.Optional(
    known({ results: items, estimated_results: Type.Optional(Type.Integer({ minimum: 0 })), nextToken }),
  ),
  searchSuggestions: Type.Optional(Type.Array(Type.String())),
});

/** Everything of an answer that is not a file. */
export const contentMetadataSchema = Type.Object({
  title: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String({ pattern: '^https?://', description: 'Link of a picture.' })),
  author: open(author, 'Who made it.'),
  comments: open(comments, 'Comments, and nextToken for the next page.'),
  playlist: open(playlist, 'A playlist and a page of its videos.'),
  channel: open(channel, 'A channel, or a page of what it has.'),
  post: open(listItem, 'A post with its pictures, poll or quiz.'),
  hashtag: open(hashtag, 'A hashtag and a page of what is under it.'),
  transcript: open(transcript, 'Transcript of a video.'),
  additionalData: open(
    additionalData,
    'Other data of the platform: statistics, dates, search results. It can gain fields.',
  ),
});

/** Everything of an answer that is not a file. */
export type ContentMetadata = Type.Static<typeof contentMetadataSchema>;

/** A type whose objects may have further members, whatever they are. */
type Open<T> = T extends readonly (infer Item)[]
  ? Open<Item>[]
  : T extends object
    ? { [Name in keyof T]: Open<T[Name]> } & Record<string, unknown>
    : T;

/** An entry of a list. */
export type ListItem = Open<Type.Static<typeof listItem>>;

/** {@link ContentMetadata} as callers read it: with the members that are known of each part. */
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
