import Type from 'typebox';
import { keyKinds } from '../key-kinds.ts';
import { planNames } from '../subscription-plans.ts';
import { optionalText, optionalTime, time } from './members.ts';

const limit = Type.Optional(Type.Integer({ minimum: 1 }));

/** A key, as administrators see it. */
export const apiKeySchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the key, which is not secret.' }),
  kind: Type.Enum([...keyKinds]),
  name: Type.String({ description: 'The name that the operator gave it.' }),
  plan: Type.Enum([...planNames]),
  test: Type.Boolean({
    description: 'Whether it is a test key, whose requests go to the lab and are free of charge. It never changes.',
  }),
  limits: Type.Object(
    { credits: limit, requestsPerSecond: limit, startsPerSecond: limit, jobsAtOnce: limit, storedSize: limit },
    { description: 'The limits of the plan that apply to keys of this kind.' },
  ),
  createdAt: time('When it was created.'),
  revokedAt: optionalTime('When it was revoked.'),
  expiresAt: optionalTime('When it stops working; null without expiry.'),
  disabledAt: optionalTime('When it was disabled; null if it is not.'),
  disabledReason: optionalText('Why it was disabled. Its holder does not see this.'),
  spendWarning: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Credits in a calendar month after which the operator is warned.',
  }),
  spendWarnedMonth: Type.Union([Type.String(), Type.Null()], {
    description: 'The last month (UTC) in which the spend warning was passed.',
    examples: ['2026-11'],
  }),
  needsSigningSecret: Type.Boolean({
    description:
      'Whether the key stops working when the signing secret that it was created under is removed. This ends with its ' +
      'next use.',
  }),
});

/** A new key with its text. */
export const issuedKeySchema = Type.Object({
  ...apiKeySchema.properties,
  key: Type.String({ description: 'The key itself. No other response contains it.' }),
});

/** The usage of an account in a calendar month. */
export const monthUsageSchema = Type.Object({
  month: Type.String({ description: 'The month (UTC).', examples: ['2026-11'] }),
  credits: Type.Integer({ minimum: 0, description: 'Credits, including those reserved for running requests.' }),
  requests: Type.Integer({ minimum: 0, description: 'Requests that the rate limit admitted.' }),
});

/** The usage of an account in a calendar month. */
export type MonthUsage = Readonly<Type.Static<typeof monthUsageSchema>>;
