import type { SourceMedia } from '../contract/source-media.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import type { ContentMedia, RenderableRules } from '../platforms/platform.ts';
import { chooseAudio, hasAudio } from './choose-audio.ts';
import { chooseAudioFormats } from './choose-audio-formats.ts';
import { chooseVideos } from './choose-videos.ts';
import { type FileAdditions, finishFile } from './finish-file.ts';
import { clipContent, durationOf } from './media-duration.ts';
import type { RenderOptions } from './render-options.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { slideshowFormat } from './slideshow.ts';
import { candidatesWithCodec, videoCandidates } from './video-candidates.ts';

export type { RenderableFile, SelectedRenderable } from './selected-renderable.ts';

/** What the files of a content take from its post. */
export interface PostContext {
  /** What is written into every file. */
  readonly additions?: FileAdditions;
  /** Seconds, if the post has only one content and its duration is known. */
  readonly duration?: number | undefined;
  /** The item for the format `slideshow`; absent if another content has it. */
  readonly slideshow?: SelectedRenderable | undefined;
  /** The sound of a post whose contents are images. */
  readonly sound?: SourceMedia | undefined;
}

/** The files of one content that a caller requests, or why they cannot be rendered. */
export interface SelectedRenderables {
  readonly videos: readonly SelectedRenderable[];
  readonly audios: readonly SelectedRenderable[];
}

/**
 * Selects the files that can be rendered from one content item under a plan: an MP4 with audio for each requested format,
 * and one file for each requested audio format. Includes an audio file without being asked if the platform offers one.
 * Fetches and seals nothing.
 */
export function selectRenderables(
  original: ContentMedia,
  options: RenderOptions,
  plan: Plan,
  rules: RenderableRules,
  post: PostContext = {},
): SelectedRenderables {
  const { formats = [], audioFormats, audioLanguages, clip, videoCodec } = options;
  const { additions = {}, sound } = post;
  const content = withSound(original, sound);
  const clipped = clip === undefined ? content : clipContent(content, clip, durationOf(content, post.duration));
  const { unrenderable = typeof clipped === 'string' ? clipped : undefined } = content;
  if (unrenderable !== undefined || typeof clipped === 'string') {
    const error = unrenderable ?? '';
    return {
      videos: formats
        .filter((label) => label !== slideshowFormat || post.slideshow !== undefined)
        .map((label) => ({ label, error })),
      audios: [...(rules.audio && hasAudio(content) ? ['audio'] : []), ...audioFormats].map((label) => ({
        label,
        error,
      })),
    };
  }
  const { items, remaining } = chooseVideos(
    formats.length === 0 ? [] : candidatesWithCodec(videoCandidates(clipped, audioLanguages), videoCodec),
    formats,
    plan,
    rules.matches,
    post.slideshow,
  );
  const offeredAudio = rules.audio ? chooseAudio(clipped, audioLanguages, plan) : [];
  const requestedAudio = chooseAudioFormats(clipped, options, plan, remaining);
  const finish = (item: SelectedRenderable, audioFormat?: string) =>
    withReplaceableLinks(finishFile(item, options, additions, audioFormat), sound);
  return {
    videos: items.map((item) => finish(item)),
    audios: [
      ...offeredAudio.map((item) => finish(item)),
      ...requestedAudio.map((item, index) => finish(item, audioFormats[index])),
    ],
  };
}

/** Adds the sound of a post to a content that has only images. */
function withSound(content: ContentMedia, sound: SourceMedia | undefined): ContentMedia {
  const isSilent = content.videos === undefined && content.audios === undefined;
  return sound === undefined || !isSilent ? content : { ...content, audios: [sound] };
}

/** Drops the representations of a file with the sound of a post, whose link cannot be replaced. */
function withReplaceableLinks(item: SelectedRenderable, sound: SourceMedia | undefined): SelectedRenderable {
  if ('error' in item || sound === undefined) return item;
  if (!item.job.inputs.some(({ url }) => url === sound.item.url)) return item;
  const { representations: _representations, ...others } = item;
  return others;
}
