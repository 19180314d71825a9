import type { ListItem } from '../../../../src/contract/metadata.ts';
import type { ExtractionResponse } from '../extraction.ts';
import type { RecognisedLink } from '../recognise-link.ts';

/** What an entry of a collection is. `other` is, for example, a hashtag, or the audio of a post. */
export type CollectionEntryKind = 'video' | 'image' | 'post' | 'channel' | 'playlist' | 'other';

/** The media of an entry in a result that contains the whole collection. */
export interface EntryContent {
  readonly result: ExtractionResponse;
  /** Index in the `contents` of the result. */
  readonly index: number;
}

/** An entry of a collection, with the members that the platform states. */
export interface CollectionEntry {
  /** Position in the collection, from 1. */
  readonly index: number;
  readonly kind: CollectionEntryKind;
  /** The platform's ID. Items of a carousel have none. */
  readonly id?: string;
  /** Title, or the first line of the text. */
  readonly title?: string;
  readonly author?: string;
  /** Address on the platform. */
  readonly url?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly thumbnailUrl?: string;
  /** Time in ISO 8601. */
  readonly publishedAt?: string;
  /**
   * The target of `url`. `extractLink` returns the media of a video, an image or a post. The link of a channel or a
   * playlist leads to another collection. Absent if the entry has no separate page.
   */
  readonly link?: RecognisedLink;
  /** The media of an item of a carousel or post. Entries with it have no `link`. */
  readonly content?: EntryContent;
  /** Whether it is a live broadcast. */
  readonly live?: boolean;
  /** Whether the platform states that it cannot be played: it is private, deleted, or has not started yet. */
  readonly unavailable?: boolean;
  /** The item of the list as the service returned it, with members such as views. Items of a carousel have none. */
  readonly item?: ListItem;
  /** Continues after this entry, as `resume` of a new collection with the same link. */
  readonly resumeToken: string;
}

/** An entry without its position. */
export type EntryFacts = Omit<CollectionEntry, 'index' | 'resumeToken'>;

/** Some entries of a collection that arrived together. */
export interface CollectionPage {
  readonly entries: readonly CollectionEntry[];
  /** Whether the list continues, as far as the platform states it. */
  readonly hasMore: boolean;
}

/** What the platform states about a collection. */
export interface CollectionDetails {
  readonly title?: string;
  readonly author?: string;
  /** Number of entries, as the platform states it. It may be an estimate, and may count entries that are not listed. */
  readonly count?: number;
  readonly thumbnailUrl?: string;
  /** Whether the platform lists only the latest entries to signed-out visitors. */
  readonly partial?: boolean;
}
