import type { Plan } from '../contract/subscription-plans.ts';
import type { RenderableRules } from '../platforms/platform.ts';
import type { Candidate } from './candidates.ts';
import { beyondCount, overSize } from './limits.ts';
import type { SelectedRenderable } from './selected-renderable.ts';

/** Maximum labels that an error lists. */
const MAX_NAMED = 30;

/**
 * Returns one item for each requested format, several for `all` and `all_highres`. A ready item has the label of its
 * video; an error has the requested format, or the label of a quality that is too large for `all`.
 *
 * The plan's number of renderables applies to the requested formats in order, even if some of them turn out impossible;
 * `all` uses the number that is left and counts only ready items.
 *
 * @param candidates The preferred first.
 */
export function chooseVideos(
  candidates: readonly Candidate[],
  requested: readonly string[],
  plan: Plan,
  matches: RenderableRules['matches'],
): SelectedRenderable[] {
  const resolutions = distinctResolutions(candidates, plan);
  let left = plan.renderableCount;
  return requested.flatMap((format) => {
    if (left <= 0) return [{ label: format, error: beyondCount(plan) }];
    if (format === 'all' || format === 'all_highres') {
      const items = chooseAll(format === 'all' ? resolutions : resolutions.toReversed(), left, plan);
      left -= items.filter((item) => !('error' in item)).length;
      return items.length > 0 ? items : [nothing(format)];
    }
    left -= 1;
    if (isGeneral(format)) return [chooseGeneral(format, resolutions, plan)];
    const matching = candidates.filter(({ file }) => matches(file.label, format));
    return [chooseFitting(format, matching, plan) ?? noSuchLabel(format, candidates)];
  });
}

const positions = {
  lowres: () => 0,
  // The lower one of an even number.
  midres: (count: number) => Math.floor((count - 1) / 2),
  highres: (count: number) => count - 1,
} as const;

function isGeneral(format: string): format is keyof typeof positions {
  return Object.hasOwn(positions, format);
}

function chooseGeneral(
  format: keyof typeof positions,
  resolutions: readonly Candidate[],
  plan: Plan,
): SelectedRenderable {
  const fitting = resolutions.filter((candidate) => fits(candidate, plan));
  const chosen = fitting[positions[format](fitting.length)];
  if (chosen !== undefined) return chosen.file;
  const [smallest] = resolutions;
  return smallest === undefined ? nothing(format) : tooLarge(smallest, plan, format);
}

function chooseAll(resolutions: readonly Candidate[], count: number, plan: Plan): SelectedRenderable[] {
  const items: SelectedRenderable[] = [];
  let left = count;
  for (const candidate of resolutions) {
    if (left === 0) break;
    const fitting = fits(candidate, plan);
    items.push(fitting ? candidate.file : tooLarge(candidate, plan));
    if (fitting) left -= 1;
  }
  return items;
}

function chooseFitting(format: string, matching: readonly Candidate[], plan: Plan): SelectedRenderable | undefined {
  const chosen = preferFitting(matching, plan);
  if (chosen === undefined) return undefined;
  return fits(chosen, plan) ? chosen.file : tooLarge(chosen, plan, format);
}

/** Returns each resolution once, the lowest first, as the preferred file that fits the plan. */
function distinctResolutions(candidates: readonly Candidate[], plan: Plan): Candidate[] {
  return [...Map.groupBy(candidates, ({ resolution }) => resolution).values()]
    .flatMap((group) => preferFitting(group, plan) ?? [])
    .toReversed() // Sources list the larger one first.
    .toSorted((a, b) => a.pixels - b.pixels || (a.stream.bitrate ?? 0) - (b.stream.bitrate ?? 0));
}

function preferFitting(candidates: readonly Candidate[], plan: Plan): Candidate | undefined {
  return candidates.find((candidate) => fits(candidate, plan)) ?? candidates[0];
}

/** Whether a file fits the plan. Unknown sizes do: the job's own limit stops the download. */
function fits({ atLeast }: Candidate, plan: Plan): boolean {
  return atLeast <= plan.renderSize;
}

function tooLarge({ file, atLeast }: Candidate, plan: Plan, label = file.label): SelectedRenderable {
  return { label, error: overSize(file.label, atLeast, file.metadata.content_length === undefined, plan) };
}

function noSuchLabel(label: string, candidates: readonly Candidate[]): SelectedRenderable {
  if (candidates.length === 0) return nothing(label);
  const labels = candidates.toSorted((a, b) => a.pixels - b.pixels).map(({ file }) => file.label);
  return { label, error: `Unavailable: there is only ${[...new Set(labels)].slice(0, MAX_NAMED).join(', ')}.` };
}

function nothing(label: string): SelectedRenderable {
  return { label, error: 'Unavailable: there is no video here that an MP4 file can be made of.' };
}
