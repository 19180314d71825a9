import type { Picture } from '../../../../parsing/picture.ts';
import { defined, dig, type Fields, list, text, unlessEmpty } from '../../../../parsing/values.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';

/** A piece of music in a video. */
interface MusicCredit {
  readonly title: string;
  readonly artist?: string;
  readonly album?: string;
  /** All of its credits, such as `Writers` or `Licenses`. */
  readonly credits?: Readonly<Record<string, string>>;
  readonly thumbnails?: readonly Picture[];
}

const MAX_ENTRIES = 200;

/** Reads the music that the description panel of a watch page lists. */
export function readMusic({ engagementPanels }: Fields): readonly MusicCredit[] {
  return list(engagementPanels)
    .slice(0, MAX_ENTRIES)
    .flatMap((panel) =>
      list(
        dig(panel, 'engagementPanelSectionListRenderer', 'content', 'structuredDescriptionContentRenderer', 'items'),
      ),
    )
    .slice(0, MAX_ENTRIES)
    .flatMap((item) => list(dig(item, 'horizontalCardListRenderer', 'cards')).slice(0, MAX_ENTRIES))
    .flatMap((card) => readCredit(dig(card, 'videoAttributeViewModel')));
}

function readCredit(node: unknown): MusicCredit[] {
  const title = text(dig(node, 'title'));
  const dialog = dig(node, 'overflowMenuOnTap', 'innertubeCommand', 'confirmDialogEndpoint', 'content');
  // Games and films have cards of the same kind, without song credits.
  if (title === undefined || dialog === undefined) return [];
  const credits = readCredits(dig(dialog, 'confirmDialogRenderer', 'dialogMessages', 0));
  return [
    {
      title,
      ...defined({
        artist: text(dig(node, 'subtitle')),
        album: readText(dig(node, 'secondarySubtitle')),
        credits: Object.keys(credits).length > 0 ? credits : undefined,
        thumbnails: unlessEmpty(readThumbnails(dig(node, 'image'))),
      }),
    },
  ];
}

/** Reads paragraphs such as "Artist: Cartoon". */
function readCredits(message: unknown): Record<string, string> {
  const paragraphs = (readText(message) ?? '').split('\n').slice(0, MAX_ENTRIES);
  const pairs = paragraphs.flatMap((paragraph) => {
    const [, name, value] = /^([^:]{1,50}): (.+)$/.exec(paragraph.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
