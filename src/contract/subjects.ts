import type { ItemOrigin } from './media-origin.ts';

/*
 * A subject is what a block can name on a platform, as text: `p1/item/dQw4w9WgXcQ`, `p1/channel/UC…`,
 * `p1/channel/@handle`.
 */

/** The kinds of subjects. */
export type SubjectKind = 'item' | 'channel';

/** The items and channels that a request names or a result belongs to. Each may have several IDs. */
export interface Subjects {
  /** IDs of videos, posts, playlists and sounds. */
  readonly items?: readonly string[];
  /** IDs and handles of channels and authors. A handle begins with an at sign. */
  readonly channels?: readonly string[];
}

/** The subjects of a request that names neither an item nor a channel, such as a search. */
export const noSubjects: Subjects = {};

/** Returns the subjects of several parts, each once. */
export function mergedSubjects(...all: readonly Subjects[]): Required<Subjects> {
  return {
    items: [...new Set(all.flatMap(({ items = [] }) => items))],
    channels: [...new Set(all.flatMap(({ channels = [] }) => channels))],
  };
}

/** Returns the subject with an ID. Handles of channels are in lower case. */
export function subjectOf(platform: string, kind: SubjectKind, id: string): string {
  return `${platform}/${kind}/${kind === 'channel' && id.startsWith('@') ? id.toLowerCase() : id}`;
}

/** Reads subjects as the platforms' own readers of links do. It knows no platform or endpoint of other versions. */
export interface SubjectReader {
  /** Returns the subjects that the parameters of a request name. */
  ofQuery(query: Pick<ItemOrigin, 'platform' | 'endpoint' | 'parameters'>): readonly string[];
  /**
   * Returns the ID or the handle in a text of an operator, which is one of them or a link. Returns undefined for a link
   * that leads to no such subject, and for a short link, which only the site can resolve.
   */
  find(platform: string, kind: SubjectKind, text: string): string | undefined;
}

/** Reads nothing: for a process that has no blocks. */
export const noSubjectReader: SubjectReader = { ofQuery: () => [], find: (_platform, _kind, text) => text };
