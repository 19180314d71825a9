import type { UnreadKinds } from '../platforms/unread.ts';

/** Maximum number of different kinds of a platform, because each one is a label of a metric. */
const MAX_KINDS = 50;

/** The name of kinds whose own name is too long or unusual, or that came after {@link MAX_KINDS} others. */
const OTHER = 'other';

/** Returns a kind in a form that is safe in labels and texts. A kind is a text of the site, which may be hostile. */
function kindName(kind: string): string {
  return /^[\w.:/+-]{1,80}$/.test(kind) ? kind : OTHER;
}

/** Creates a function that names the kinds of one platform, and adds up those that get the same name. */
export function createKindNames(): (unread: UnreadKinds) => UnreadKinds {
  const names = new Set<string>();
  const nameOf = (kind: string): string => {
    const name = kindName(kind);
    if (names.size < MAX_KINDS) names.add(name);
    return names.has(name) ? name : OTHER;
  };
  return (unread) => {
    const total = new Map<string, number>();
    for (const [kind, number] of Object.entries(unread)) {
      const name = nameOf(kind);
      total.set(name, (total.get(name) ?? 0) + number);
    }
    return Object.fromEntries(total);
  };
}
