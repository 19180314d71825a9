import type { Plan } from '../contract/subscription-plans.ts';
import type { RenderableRules } from '../platforms/platform.ts';
import { countLimitMessage, sizeLimitMessage } from './renderable-limits.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { slideshowFormat } from './slideshow.ts';
import type { VideoCandidate } from './video-candidates.ts';

/** Maximum number of labels that an error lists. */
const MAX_LISTED_LABELS = 30;

/** The chosen items, and how many further renderables the plan allows. */
interface ChosenVideos {
  readonly items: readonly SelectedRenderable[];
  readonly remaining: number;
}

/**
 * Returns one item for each requested format, several for `all` and `all_highres`. A ready item is labelled like its
 * video. An error is labelled with the requested format, or with the quality that is too large for `all`.
 *
 * An item whose label is not the requested format, or that shares its label with another item, also names the format.
 *
 * The plan's number of renderables applies to the requested formats in order, even if some of them turn out to be
 * impossible. `all` uses the remaining number and counts only ready items.
 *
 * @param candidates In order of preference, or why there are none, as a message for the caller.
 * @param slideshow The item for the format `slideshow`; absent if another content of the post has it.
 */
export function chooseVideos(
  candidates: readonly VideoCandidate[] | string,
  requestedFormats: readonly string[],
  plan: Plan,
  matches: RenderableRules['matches'],
  slideshow: SelectedRenderable | undefined,
): ChosenVideos {
  const resolutions = typeof candidates === 'string' ? [] : distinctResolutions(candidates, plan);
  let remaining = plan.renderableCount;
  const chooseFormat = (format: string): SelectedRenderable[] => {
    const isElsewhere = format === slideshowFormat && slideshow === undefined;
    if (remaining <= 0) return isElsewhere ? [] : [{ label: format, error: countLimitMessage(plan) }];
    if ((format === 'all' || format === 'all_highres') && typeof candidates !== 'string') {
      const items = chooseAll(format === 'all' ? resolutions : resolutions.toReversed(), remaining, plan);
      remaining -= items.filter((item) => !('error' in item)).length;
      return items.length > 0 ? items : [noVideo(format)];
    }
    remaining -= 1;
    if (format === slideshowFormat) return slideshow === undefined ? [] : [slideshow];
    if (typeof candidates === 'string') return [{ label: format, error: candidates }];
    if (isRelativeFormat(format)) return [chooseRelative(format, resolutions, plan)];
    const matching = candidates.filter(({ file }) => matches(file.label, format));
    return [chooseMatching(format, matching, plan) ?? noSuchLabel(format, candidates)];
  };
  const items = withRequested(requestedFormats.map((format) => [format, chooseFormat(format)]));
  return { items, remaining: Math.max(0, remaining) };
}

/** Adds the requested format to the items that their labels alone do not map to it. */
function withRequested(
  choices: readonly (readonly [format: string, items: readonly SelectedRenderable[]])[],
): SelectedRenderable[] {
  const byLabel = Map.groupBy(
    choices.flatMap(([, items]) => items),
    ({ label }) => label,
  );
  return choices.flatMap(([requested, items]) =>
    items.map((item) => {
      const isIdentified = item.label === requested && byLabel.get(item.label)?.length === 1;
      return isIdentified ? item : { ...item, requested };
    }),
  );
}

const relativePositions = {
  lowres: () => 0,
  // The lower of the two in the middle if the number of resolutions is even.
  midres: (count: number) => Math.floor((count - 1) / 2),
  highres: (count: number) => count - 1,
} as const;

function isRelativeFormat(format: string): format is keyof typeof relativePositions {
  return Object.hasOwn(relativePositions, format);
}

function chooseRelative(
  format: keyof typeof relativePositions,
  resolutions: readonly VideoCandidate[],
  plan: Plan,
): SelectedRenderable {
  const fitting = resolutions.filter((candidate) => fits(candidate, plan));
  const candidate = fitting[relativePositions[format](fitting.length)];
  if (candidate !== undefined) return candidate.file;
  const [smallest] = resolutions;
  return smallest === undefined ? noVideo(format) : tooLarge(smallest, plan, format);
}

function chooseAll(resolutions: readonly VideoCandidate[], count: number, plan: Plan): SelectedRenderable[] {
  const items: SelectedRenderable[] = [];
  let remaining = count;
  for (const candidate of resolutions) {
    if (remaining === 0) break;
    const fitting = fits(candidate, plan);
    items.push(fitting ? candidate.file : tooLarge(candidate, plan));
    if (fitting) remaining -= 1;
  }
  return items;
}

function chooseMatching(
  format: string,
  matching: readonly VideoCandidate[],
  plan: Plan,
): SelectedRenderable | undefined {
  const candidate = preferFitting(matching, plan);
  if (candidate === undefined) return undefined;
  return fits(candidate, plan) ? candidate.file : tooLarge(candidate, plan, format);
}

/** Returns each resolution once, in ascending order, as the preferred file that fits the plan. */
function distinctResolutions(candidates: readonly VideoCandidate[], plan: Plan): VideoCandidate[] {
  return [...Map.groupBy(candidates, ({ resolution }) => resolution).values()]
    .flatMap((group) => preferFitting(group, plan) ?? [])
    .toReversed() // Sources list larger resolutions first, which decides ties.
    .toSorted((a, b) => a.pixels - b.pixels || (a.stream.bitrate ?? 0) - (b.stream.bitrate ?? 0));
}

function preferFitting(candidates: readonly VideoCandidate[], plan: Plan): VideoCandidate | undefined {
  return candidates.find((candidate) => fits(candidate, plan)) ?? candidates[0];
}

/** Whether a file fits the plan. Files of unknown size fit, because the job's own limit stops their download. */
function fits({ minBytes }: VideoCandidate, plan: Plan): boolean {
  return minBytes <= plan.renderSize;
}

function tooLarge({ file, minBytes }: VideoCandidate, plan: Plan, label = file.label): SelectedRenderable {
  return { label, error: sizeLimitMessage(file.label, minBytes, file.metadata.content_length === undefined, plan) };
}

function noSuchLabel(label: string, candidates: readonly VideoCandidate[]): SelectedRenderable {
  if (candidates.length === 0) return noVideo(label);
  const labels = candidates.toSorted((a, b) => a.pixels - b.pixels).map(({ file }) => file.label);
  return {
    label,
    error: `Unavailable: only available in ${[...new Set(labels)].slice(0, MAX_LISTED_LABELS).join(', ')}.`,
  };
}

function noVideo(label: string): SelectedRenderable {
  return { label, error: 'Unavailable: no video of this content can be converted to an MP4 file.' };
}
