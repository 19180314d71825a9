import type { Plan } from '../contract/subscription-plans.ts';
import type { RenderableRules, SourceContent } from '../platforms/platform.ts';
import { chooseAudio, hasAudio } from './choose-audio.ts';
import { chooseVideos } from './choose-videos.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { videoCandidates } from './video-candidates.ts';

export type { RenderableFile, SelectedRenderable } from './selected-renderable.ts';

/**
 * Selects the files that can be rendered from one content under a plan: an MP4 with audio for each requested format,
 * and an audio-only file if the platform offers one. Fetches and seals nothing.
 *
 * @param requestedFormats Values of `renderableFormats` without duplicates; absent for no videos.
 */
export function selectRenderables(
  content: SourceContent,
  requestedFormats: readonly string[] | undefined,
  plan: Plan,
  rules: RenderableRules,
): { readonly videos: readonly SelectedRenderable[]; readonly audios: readonly SelectedRenderable[] } {
  const { unrenderable: error } = content;
  if (error !== undefined) {
    return {
      videos: (requestedFormats ?? []).map((label) => ({ label, error })),
      audios: rules.audio && hasAudio(content) ? [{ label: 'audio', error }] : [],
    };
  }
  return {
    videos:
      requestedFormats === undefined
        ? []
        : chooseVideos(videoCandidates(content), requestedFormats, plan, rules.matches),
    audios: rules.audio ? chooseAudio(content, plan) : [],
  };
}
