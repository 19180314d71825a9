import { dig, list } from '../../../../parsing/values.ts';
import { hasVerifiedBadge, readBadges } from '../badges.ts';
import { isDateText, isUpdateText } from '../dates.ts';
import { readText } from '../text.ts';
import { readChannelCommand, readChannelLink, readCollaborators } from './channel-ref.ts';
import type { ChannelRef } from './list-item.ts';
import { readViewCounts, type ViewCounts } from './view-counts.ts';

const MAX_PARTS = 50;

/** The information in the lines below a lockup's title. Each part is recognised by its contents, not its position. */
interface LockupMetadata {
  channel: ChannelRef | undefined;
  collaborators: readonly ChannelRef[] | undefined;
  viewCounts: ViewCounts | undefined;
  publishedText: string | undefined;
  updatedText: string | undefined;
  labels: readonly string[];
  membersOnly: boolean;
}

/** Reads a `lockupMetadataViewModel`: its rows, and the image that links to the channel. */
export function readLockupMetadata(metadata: unknown): LockupMetadata {
  const facts: LockupMetadata = {
    channel: undefined,
    collaborators: undefined,
    viewCounts: undefined,
    publishedText: undefined,
    updatedText: undefined,
    labels: [],
    membersOnly: false,
  };
  const image = dig(metadata, 'image');
  let name: unknown;
  for (const row of list(dig(metadata, 'metadata', 'contentMetadataViewModel', 'metadataRows')).slice(0, MAX_PARTS)) {
    for (const part of list(dig(row, 'metadataParts')).slice(0, MAX_PARTS)) {
      const text = dig(part, 'text') ?? dig(part, 'avatarStack', 'avatarStackViewModel', 'text');
      if (!readPart(text, facts)) name ??= text;
    }
    const badges = dig(row, 'badges');
    if (badges === undefined) continue;
    const { labels, membersOnly } = readBadges(badges);
    if (labels.length > 0) facts.labels = [...facts.labels, ...labels];
    facts.membersOnly ||= membersOnly;
  }
  readAvatar(image, name, facts);
  return facts;
}

/** Reads a part with recognisable contents. Returns false for any other part (a channel's name, for example). */
function readPart(text: unknown, facts: LockupMetadata): boolean {
  if (dig(text, 'commandRuns') !== undefined) {
    facts.channel ??= readChannelLink(text);
    return true;
  }
  const words = readText(text);
  if (words === undefined) return true;
  const viewCounts = readViewCounts(words);
  if (viewCounts !== undefined) facts.viewCounts ??= viewCounts;
  else if (isUpdateText(words)) facts.updatedText ??= words;
  else if (isDateText(words)) facts.publishedText ??= words;
  else return false;
  return true;
}

/** Reads the image beside the title, which links to the channel or to the list of the video's creators. */
function readAvatar(image: unknown, name: unknown, facts: LockupMetadata): void {
  const avatar = dig(image, 'decoratedAvatarViewModel');
  if (avatar !== undefined && facts.channel === undefined) {
    const tap = dig(avatar, 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand');
    const channel = readChannelCommand(tap, name, { picture: dig(avatar, 'avatar', 'avatarViewModel', 'image') });
    facts.channel = channel !== undefined && hasVerifiedBadge(name) ? { ...channel, verified: true } : channel;
  }
  const stack = dig(image, 'avatarStackViewModel', 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand');
  if (stack === undefined) return;
  facts.collaborators = readCollaborators(stack);
  facts.channel ??= facts.collaborators?.[0];
}
