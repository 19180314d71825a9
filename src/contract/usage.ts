import Type from 'typebox';
import { planNames } from './subscription-plans.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What the account of a key has used this month, and its limits. */
export const usageSchema = Type.Object({
  keyKind: Type.Enum(['extraction', 'render'], { description: 'The API that the key is for.' }),
  plan: Type.Enum([...planNames]),
  month: Type.String({
    pattern: '^\\d{4}-\\d{2}$',
    description: 'The calendar month (UTC) that the counts belong to.',
  }),
  resetsAt: Type.String({ format: 'date-time', description: 'End of the month, when the credits are renewed.' }),
  requests: count('Requests of this month that the rate limit admitted.'),
  credits: Type.Union(
    [
      Type.Object({
        used: count('Credits of this month, including those reserved for running requests.'),
        limit: count('Credits of the plan per month.'),
        remaining: count('Credits that are left this month.'),
        spendWarning: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
          description:
            'Credits in a month after which the operator of the service is warned; null for no warning. ' +
            'Requests are not limited by it.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'null for render keys, whose requests cost no credits.' },
  ),
  rates: Type.Object(
    {
      requestsPerSecond: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Requests to the extraction API. null for render keys.',
      }),
      startsPerSecond: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Start and store requests of the direct job API. null for extraction keys.',
      }),
      jobsAtOnce: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description:
          'Maximum number of unfinished jobs. null for extraction keys, whose jobs are not limited, unless they are test keys.',
      }),
    },
    { description: 'Limits of the plan.' },
  ),
  unfinishedJobs: count('Jobs of the account that are waiting or running.'),
  storedFiles: Type.Object(
    {
      bytes: count('Size of the finished files that are stored, in bytes.'),
      limit: Type.Integer({ minimum: 1, description: 'Size at which the plan allows no further starts, in bytes.' }),
    },
    { description: 'Finished files of the account.' },
  ),
});

/** What the account of a key has used this month, and its limits. */
export type UsageReport = Type.Static<typeof usageSchema>;
