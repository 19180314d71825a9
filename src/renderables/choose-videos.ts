import type { Plan } from '../contract/plans.ts';
import type { RenderableRules } from '../platforms/platform.ts';
import type { Candidate } from './candidates.ts';
import { beyondCount, overSize } from './limits.ts';
import type { RenderablePlan } from './renderable-plan.ts';

/** Labels that an error names at most. */
const MAX_NAMED = 30;

/**
 * One item for each requested format, several for `all` and `all_highres`. A ready item bears the label of its video,
 * an error item the format that was asked for, or the label of a quality that `all` had to leave out for its size.
 *
 * The first formats, as many as the plan has renders, are prepared, even if some of them turn out impossible;
 * `all` takes as many renders as are left and counts only what is ready.
 *
 * @param candidates The preferred first.
 */
export function chooseVideos(
  candidates: readonly Candidate[],
  requested: readonly string[],
  plan: Plan,
  matches: RenderableRules['matches'],
): RenderablePlan[] {
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

const places = {
  lowres: () => 0,
  // The lower of two middles.
  midres: (count: number) => Math.floor((count - 1) / 2),
  highres: (count: number) => count - 1,
} as const;

function isGeneral(format: string): format is keyof typeof places {
  return Object.hasOwn(places, format);
}

function chooseGeneral(format: keyof typeof places, resolutions: readonly Candidate[], plan: Plan): RenderablePlan {
  const fitting = resolutions.filter((candidate) => fits(candidate, plan));
  const chosen = fitting[places[format](fitting.length)];
  if (chosen !== undefined) return chosen.file;
  const [smallest] = resolutions;
  return smallest === undefined ? nothing(format) : tooLarge(smallest, plan, format);
}

function chooseAll(resolutions: readonly Candidate[], count: number, plan: Plan): RenderablePlan[] {
  const items: RenderablePlan[] = [];
  let left = count;
  for (const candidate of resolutions) {
    if (left === 0) break;
    const fitting = fits(candidate, plan);
    items.push(fitting ? candidate.file : tooLarge(candidate, plan));
    if (fitting) left -= 1;
  }
  return items;
}

function chooseFitting(format: string, matching: readonly Candidate[], plan: Plan): RenderablePlan | undefined {
  const chosen = preferFitting(matching, plan);
  if (chosen === undefined) return undefined;
  return fits(chosen, plan) ? chosen.file : tooLarge(chosen, plan, format);
}

/** Each resolution once, the lowest first, as the preferred file that the plan has room for. */
function distinctResolutions(candidates: readonly Candidate[], plan: Plan): Candidate[] {
  return [...Map.groupBy(candidates, ({ resolution }) => resolution).values()]
    .flatMap((group) => preferFitting(group, plan) ?? [])
    .toReversed() // Where nothing tells which is larger, what the source lists first is.
    .toSorted((a, b) => a.pixels - b.pixels || (a.stream.bitrate ?? 0) - (b.stream.bitrate ?? 0));
}

function preferFitting(candidates: readonly Candidate[], plan: Plan): Candidate | undefined {
  return candidates.find((candidate) => fits(candidate, plan)) ?? candidates[0];
}

/** Whether the plan has room; an unknown size is let through, for the job's own limit stops the download. */
function fits({ atLeast }: Candidate, plan: Plan): boolean {
  return atLeast <= plan.renderSize;
}

function tooLarge({ file, atLeast }: Candidate, plan: Plan, label = file.label): RenderablePlan {
  return { label, error: overSize(file.label, atLeast, file.metadata.content_length === undefined, plan) };
}

function noSuchLabel(label: string, candidates: readonly Candidate[]): RenderablePlan {
  if (candidates.length === 0) return nothing(label);
  const labels = candidates.toSorted((a, b) => a.pixels - b.pixels).map(({ file }) => file.label);
  return { label, error: `Unavailable: there is only ${[...new Set(labels)].slice(0, MAX_NAMED).join(', ')}.` };
}

function nothing(label: string): RenderablePlan {
  return { label, error: 'Unavailable: there is no video here that an MP4 file can be made of.' };
}
