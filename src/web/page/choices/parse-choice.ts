/** What the visitor chose last: the best video, a quality such as `720p`, or an audio format. */
export type RememberedChoice =
  | { readonly kind: 'video'; readonly label: string }
  | { readonly kind: 'audio'; readonly label: string };

/** The label that stands for the best video of each item. */
export const BEST = 'best';

/** Parses a stored choice. Older or damaged text may contain anything. */
export function parseChoice(text: string | null): RememberedChoice | undefined {
  try {
    const { kind, label } = Object(JSON.parse(text ?? 'null')) as Record<string, unknown>;
    const known = (kind === 'video' || kind === 'audio') && typeof label === 'string' && label.length <= 40;
    return known ? { kind, label } : undefined;
  } catch {
    // Unreadable text is as good as none.
    return undefined;
  }
}
