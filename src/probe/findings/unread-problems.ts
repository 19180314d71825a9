import type { UnreadKinds } from '../../platforms/unread.ts';
import type { Problem } from './probe-report.ts';

/** Returns a problem for each kind of entry that no parser recognises. */
export function unreadProblems(unread: UnreadKinds = {}): readonly Problem[] {
  return Object.entries(unread).map(([shape, count]) => ({
    kind: 'unread',
    shape,
    count,
    message: `New shape: ${shape} (${count} ${count === 1 ? 'entry' : 'entries'}).`,
  }));
}
