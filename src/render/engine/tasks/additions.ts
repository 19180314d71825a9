import type { OutputNote } from '../../../contract/output-notes.ts';
import type { Chapter } from '../chapters/chapter.ts';
import type { Cover } from '../tags/cover.ts';
import type { Tags } from '../tags/tags.ts';

/** What a result contains besides its streams. */
export interface Additions {
  readonly tags: Tags;
  /** Chapters on the result's clock. Those after its end are left out when its duration is known. */
  readonly chapters: readonly Chapter[];
  /** Cover image that replaces those of the inputs. */
  readonly cover?: Cover;
  /** Language tags that say more than the codes that MP4 and QuickTime files state. */
  readonly languageTags?: LanguageTags;
}

/** The language tags of the audio and subtitle tracks of a file, in order; undefined where a code says as much. */
export interface LanguageTags {
  readonly audio: readonly (string | undefined)[];
  readonly subtitle: readonly (string | undefined)[];
}

/** What a job adds to its result, as far as the container can store it. */
export interface RequestedAdditions extends Omit<Additions, 'chapters' | 'languageTags'> {
  /** Absent if the result keeps the chapters of the inputs. */
  readonly chapters?: readonly Chapter[];
  /** The parts that were left out. */
  readonly notes: readonly OutputNote[];
}

/** The additions of a result that consists only of its streams. */
export const noAdditions: RequestedAdditions = { tags: {}, notes: [] };
