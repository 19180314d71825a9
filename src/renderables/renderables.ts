import type { Plan } from '../contract/plans.ts';
import type { RenderableRules, SourceContent } from '../platforms/platform.ts';
import { videoCandidates } from './candidates.ts';
import { chooseAudio, hasSound } from './choose-audio.ts';
import { chooseVideos } from './choose-videos.ts';
import type { RenderablePlan } from './renderable-plan.ts';

export type { RenderableFile, RenderablePlan } from './renderable-plan.ts';

/**
 * Plans the files that can be rendered of one content under a plan: for each requested format an MP4 with sound, and
 * where the platform offers it the sound alone. Nothing is fetched and nothing sealed.
 *
 * @param requested Values of `renderableFormats` without duplicates; absent for no videos.
 */
export function planRenderables(
  content: SourceContent,
  requested: readonly string[] | undefined,
  plan: Plan,
  rules: RenderableRules,
): { readonly videos: readonly RenderablePlan[]; readonly audios: readonly RenderablePlan[] } {
  const { unrenderable: error } = content;
  if (error !== undefined) {
    return {
      videos: (requested ?? []).map((label) => ({ label, error })),
      audios: rules.audio && hasSound(content) ? [{ label: 'audio', error }] : [],
    };
  }
  return {
    videos: requested === undefined ? [] : chooseVideos(videoCandidates(content), requested, plan, rules.matches),
    audios: rules.audio ? chooseAudio(content, plan) : [],
  };
}
