import type { ContentMetadata } from '../contract/envelope.ts';
import type { Subjects } from '../contract/subjects.ts';
import { type Fields, fields, list, text } from '../parsing/values.ts';

/** Members of `additionalData` that identify the item. */
const itemIds = ['id', 'requestedId', 'shortcode', 'postId'] as const;
/** Members of an author or a channel that identify it, and those with its handle. */
const channelIds = ['id', 'channelId', 'userId', 'secUid', 'profileId', 'pageId'] as const;
const handles = ['handle', 'username'] as const;
/** Members of an author with other roles of people in the same item. */
const roles = ['pinner', 'originPinner', 'nativeCreator'] as const;

/** Maximum length of an ID, and maximum number of creators that share an item. */
const MAX_ID = 300;
const MAX_CREATORS = 30;

/**
 * Returns the item and the channels that a result belongs to, by the members that the metadata of all platforms have in
 * common. The entries of lists are not searched.
 */
export function subjectsOfMetadata(metadata: ContentMetadata): Subjects {
  const additionalData = fields(metadata.additionalData);
  const playlist = fields(fields(metadata.playlist).info);
  const post = fields(metadata.post);
  const author = fields(metadata.author);
  const creators = [
    ...[author, ...roles.map((role) => author[role]), metadata.channel],
    ...[playlist.author, post.channel],
    ...list(additionalData.collaborators).slice(0, MAX_CREATORS),
    ...list(additionalData.coauthors).slice(0, MAX_CREATORS),
  ].map(fields);
  return {
    items: [...textsOf(additionalData, itemIds), ...textsOf(playlist, ['id']), ...textsOf(post, ['id'])],
    channels: creators.flatMap((channel) => [
      ...textsOf(channel, channelIds),
      ...textsOf(channel, handles).map((handle) => (handle.startsWith('@') ? handle : `@${handle}`)),
    ]),
  };
}

function textsOf(members: Fields, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const id = text(members[name]);
    return id === undefined || id.length > MAX_ID ? [] : [id];
  });
}
