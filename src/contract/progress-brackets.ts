import Type from 'typebox';
import type { FieldFault } from './errors.ts';

/** Percentages at which a stage begins and ends. */
type Bracket = readonly [number, number];

/** How the overall progress is divided among the stages. */
export interface ProgressBrackets {
  readonly downloading_inputs: Bracket;
  readonly processing: Bracket;
  readonly uploading_output: Bracket;
}

/** The division defined by the contract, used unless a job sets its own. */
export const defaultBrackets: ProgressBrackets = {
  downloading_inputs: [0, 50],
  processing: [50, 60],
  uploading_output: [60, 100],
};

const stages = ['downloading_inputs', 'processing', 'uploading_output'] as const;

const bracketSchema = Type.Optional(
  Type.Array(Type.Integer({ minimum: 0, maximum: 100 }), { minItems: 2, maxItems: 2 }),
);

/** How the overall progress is divided among the stages, as callers send it. */
export const progressBracketsSchema = Type.Object(
  { downloading_inputs: bracketSchema, processing: bracketSchema, uploading_output: bracketSchema },
  {
    additionalProperties: false,
    description:
      'Percentages at which each stage begins and ends. They must be ascending, and each stage must begin where the ' +
      'previous one ends. Missing stages evenly share the percentages before, between and after the given ones, in ' +
      'whole percent: with only processing [20,40], downloading_inputs is [0,20] and uploading_output is [40,100].',
  },
);

/** Brackets as callers send them. Stages may be missing. */
type PartialBrackets = Type.Static<typeof progressBracketsSchema>;

/** Finds brackets that are not ascending or not contiguous. */
export function bracketFaults(brackets: PartialBrackets | undefined): FieldFault[] {
  if (brackets === undefined) return [];
  const complete = completeBrackets(brackets);
  const percentages = stages.flatMap((stage) => complete[stage]);
  const ascending = percentages.every(
    (percentage, index) => index === 0 || percentage >= (percentages[index - 1] ?? 0),
  );
  const touching = percentages[1] === percentages[2] && percentages[3] === percentages[4];
  if (ascending && touching) return [];
  return [{ path: 'progressBrackets', message: 'must be ascending and contiguous, such as [0,50], [50,60], [60,100]' }];
}

/** Fills in the missing stages: each run of them evenly shares what the stages around it leave, from 0 to 100. */
export function completeBrackets(brackets: PartialBrackets): ProgressBrackets {
  const given = stages.map((stage) => brackets[stage] as Bracket | undefined);
  const complete = given.map((bracket, at): Bracket => {
    if (bracket !== undefined) return bracket;
    const before = given.slice(0, at).findLastIndex((other) => other !== undefined);
    const after = given.findIndex((other, index) => index > at && other !== undefined);
    const [from, to] = [given[before]?.[1] ?? 0, given[after]?.[0] ?? 100];
    const count = (after < 0 ? stages.length : after) - before - 1;
    const boundary = (index: number) => Math.round(from + ((to - from) * index) / count);
    return [boundary(at - before - 1), boundary(at - before)];
  });
  return Object.fromEntries(stages.map((stage, at) => [stage, complete[at]])) as unknown as ProgressBrackets;
}
