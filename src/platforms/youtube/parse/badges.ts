import { dig, list } from '../../../parsing/values.ts';
import { readText } from './text.ts';

/** The contents of an item's or channel's badges. */
interface Badges {
  /** Labels such as "4K", "New" and "CC". */
  readonly labels: readonly string[];
  readonly live: boolean;
  readonly membersOnly: boolean;
  /** Whether the badges include the tick of a verified channel or the musical note of a verified artist. */
  readonly verified: boolean;
}

const MAX_BADGES = 20;

/** Reads lists of `metadataBadgeRenderer` or `badgeViewModel`. */
export function readBadges(...nodes: readonly unknown[]): Badges {
  const labels: string[] = [];
  let live = false;
  let membersOnly = false;
  let verified = false;
  for (const node of nodes) {
    for (const entry of list(node).slice(0, MAX_BADGES)) {
      const badge = dig(entry, 'metadataBadgeRenderer') ?? dig(entry, 'badgeViewModel');
      const style = String(dig(badge, 'style') ?? dig(badge, 'badgeStyle') ?? '');
      if (/VERIFIED/.test(style)) verified = true;
      else if (/LIVE/.test(style)) live = true;
      else if (/MEMBERS_ONLY/.test(style)) membersOnly = true;
      else {
        const label = readText(dig(badge, 'label')) ?? readText(dig(badge, 'badgeText'));
        if (label !== undefined && !labels.includes(label)) labels.push(label);
      }
    }
  }
  return { labels, live, membersOnly, verified };
}

/** Returns whether a text is followed by the icon of a verified channel (tick) or artist (musical note). */
export function hasVerifiedBadge(node: unknown): boolean {
  return list(dig(node, 'attachmentRuns')).some((run) =>
    list(dig(run, 'element', 'type', 'imageType', 'image', 'sources')).some((source) =>
      /^(?:CHECK_CIRCLE_FILLED|CHECK_CIRCLE_THICK|AUDIO_BADGE|MUSIC_FILLED)$/.test(
        String(dig(source, 'clientResource', 'imageName') ?? ''),
      ),
    ),
  );
}
