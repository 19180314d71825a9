import type { ContentMetadata } from '../../contract/envelope.ts';
import type { SourceCaptions, SourceMedia } from '../../contract/source-media.ts';
import type { Plan } from '../../contract/subscription-plans.ts';
import type { ContentMedia, RenderableRules } from '../../platforms/platform.ts';
import { chooseSubtitles } from '../../renderables/choose-subtitles.ts';
import { additionsOf } from '../../renderables/file-additions.ts';
import { statedDuration } from '../../renderables/media-duration.ts';
import type { RenderOptions } from '../../renderables/render-options.ts';
import { type SelectedRenderables, selectRenderables } from '../../renderables/select-renderables.ts';
import { hasImages, slideshowFormat, slideshowOf } from '../../renderables/slideshow.ts';

/** The files that a caller can render from an extraction. */
interface ContentRenders {
  /** Selects the files of one content item. */
  select(content: ContentMedia, index: number): SelectedRenderables;
  /** What cannot be added to the files, as notes for the caller. */
  readonly notes: readonly string[];
}

/** The parts of an extraction from which files are made. */
interface RenderedParts {
  readonly contents: readonly ContentMedia[];
  /** Whether the metadata describes a single content, which is not so if others are left out. */
  readonly isSingle: boolean;
  readonly metadata: ContentMetadata;
  readonly captions: readonly SourceCaptions[];
  readonly sound: SourceMedia | undefined;
}

/** Prepares the selection of the files of an extraction: what they have in common is chosen once. */
export function createContentRenders(
  { contents, isSingle, metadata, captions, sound }: RenderedParts,
  options: RenderOptions,
  plan: Plan,
  rules: RenderableRules,
): ContentRenders {
  const { formats = [], embed, subtitleLanguages } = options;
  const embedsSubtitles = formats.length > 0 && embed.has('subtitles');
  const { subtitles, notes } = embedsSubtitles
    ? chooseSubtitles(captions, subtitleLanguages)
    : { subtitles: [], notes: [] };
  const firstImage = contents.findIndex(hasImages);
  const slideshowNotes = formats.includes(slideshowFormat) && firstImage >= 0 ? videoNotes(contents) : [];
  return {
    select(content, index) {
      const additions = additionsOf(metadata, content, options);
      return selectRenderables(content, options, plan, rules, {
        additions: { ...additions, ...(subtitles.length === 0 ? {} : { subtitles: [...subtitles] }) },
        duration: isSingle ? statedDuration(metadata) : undefined,
        slideshow: formats.includes(slideshowFormat)
          ? slideshowOf(contents, index, rules.severalImages ?? false, sound)
          : undefined,
        sound: index === firstImage ? sound : undefined,
      });
    },
    notes: [...notes, ...slideshowNotes],
  };
}

/** Returns a note about the videos of a post that its slideshow leaves out. */
function videoNotes(contents: readonly ContentMedia[]): string[] {
  const videos = contents.filter((content) => !hasImages(content)).length;
  if (videos === 0) return [];
  return [
    `The slideshow has only the images of the post: ${videos === 1 ? '1 video is' : `${videos} videos are`} left out.`,
  ];
}
