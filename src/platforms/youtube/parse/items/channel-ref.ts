import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { hasVerifiedBadge, readBadges } from '../badges.ts';
import { channelIdOf, channelUrl } from '../ids.ts';
import { readHandle } from '../outbound-links.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { ChannelRef } from './list-item.ts';

const MAX_COLLABORATORS = 30;

/** Properties of a channel beside the text that links to it. */
interface ChannelExtras {
  /** `{thumbnails}` or `{sources}`. */
  readonly picture?: unknown;
  /** Lists of badges. */
  readonly badges?: unknown;
}

/** Returns the channel that a text links to, in `runs` or `commandRuns`, or undefined if there is none. */
export function readChannelLink(node: unknown, extras: ChannelExtras = {}): ChannelRef | undefined {
  const { runs, commandRuns } = fields(node);
  for (const run of list(runs)) {
    const channel = readChannelCommand(dig(run, 'navigationEndpoint'), dig(run, 'text'), extras);
    if (channel !== undefined) return channel;
  }
  for (const run of list(commandRuns)) {
    const channel = readChannelCommand(dig(run, 'onTap', 'innertubeCommand'), readText(node), extras);
    if (channel !== undefined) return hasVerifiedBadge(node) ? { ...channel, verified: true } : channel;
  }
  return undefined;
}

/** Returns the channel that a command opens. */
export function readChannelCommand(
  command: unknown,
  name: unknown,
  { picture, badges }: ChannelExtras = {},
): ChannelRef | undefined {
  const browse = dig(command, 'browseEndpoint');
  const id = channelIdOf(dig(browse, 'browseId'));
  if (id === undefined) return undefined;
  return {
    id,
    ...defined({
      name: readText(name),
      handle: readHandle(dig(browse, 'canonicalBaseUrl')),
      verified: readBadges(badges).verified || undefined,
      thumbnails: unlessEmpty(readThumbnails(picture)),
    }),
    url: channelUrl(id),
  };
}

/**
 * Returns all creators of a video, from the `showDialogCommand` that lists them (2026), or undefined if a text has no
 * such list.
 */
export function readCollaborators(command: unknown): readonly ChannelRef[] | undefined {
  const entries = dig(
    command,
    'showDialogCommand',
    'panelLoadingStrategy',
    'inlineContent',
    'dialogViewModel',
    'customContent',
    'listViewModel',
    'listItems',
  );
  const channels = list(entries)
    .slice(0, MAX_COLLABORATORS)
    .flatMap((entry) => {
      const { title, subtitle, leadingAccessory, rendererContext } = fields(dig(entry, 'listItemViewModel'));
      const tap = dig(rendererContext, 'commandContext', 'onTap', 'innertubeCommand');
      const picture = dig(leadingAccessory, 'avatarViewModel', 'image');
      // On a watch page, the name itself links to the channel (recorded 2026-07).
      const channel = readChannelCommand(tap, title, { picture }) ?? readChannelLink(title, { picture });
      if (channel === undefined) return [];
      // "@MarkRober • 78.2m subscribers", each part within Unicode direction marks.
      const subtitleText = readText(subtitle)?.replace(/[\u200e\u200f\u2066-\u2069]/g, '');
      const subscribers = subtitleText
        ?.split('•')
        .find((part) => /\bsubscribers?\s*$/.test(part))
        ?.trim();
      return [
        {
          ...channel,
          ...defined({
            handle: channel.handle ?? readHandle(subtitleText),
            verified: hasVerifiedBadge(title) || undefined,
          }),
          ...countMembers('subscriberCount', subscribers),
        },
      ];
    });
  return unlessEmpty(channels);
}
