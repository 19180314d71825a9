import type { UnreadKinds } from '../../platforms/unread.ts';
import { createKindNames } from '../unread-kind-names.ts';

/** Maximum number of kinds that get their own note. */
const MAX_NOTES = 10;

/** Returns notes for the caller about entries that no parser recognised. */
export function unreadNotes(unread: UnreadKinds = {}): readonly string[] {
  return Object.entries(createKindNames()(unread))
    .slice(0, MAX_NOTES)
    .map(([kind, number]) => `Omitted ${number} ${number === 1 ? 'entry' : 'entries'} of an unknown kind (${kind}).`);
}
