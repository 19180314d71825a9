import Type from 'typebox';
import { keyKinds } from '../key-kinds.ts';
import { refusal } from '../render-api/route.ts';
import { invalidBody } from '../schema-faults.ts';
import { planNames } from '../subscription-plans.ts';
import { type AdminRoute, adminBase, jsonBody, refusedBody, unauthorized } from './admin-route.ts';
import { apiKeySchema, issuedKeySchema, monthUsageSchema } from './api-key.ts';
import { linePattern, readFutureTime, readTime, timeText } from './members.ts';

const MAX_GRACE_S = 30 * 24 * 3600;
const MAX_SPEND_WARNING = 1_000_000_000;
const closed = { additionalProperties: false } as const;
const keysPath = `${adminBase}/keys`;
const keyPath = `${adminBase}/keys/{id}`;

const keyParameters = { schema: Type.Object({ id: Type.String({ description: 'ID of the key.' }) }) };
const unknownKey = { 404: refusal('No key has this ID.', 'not_found') };

const name = Type.Optional(Type.String({ maxLength: 100, pattern: linePattern }));
const spendWarning = Type.Integer({ minimum: 1, maximum: MAX_SPEND_WARNING });
const spendWarningText = 'Credits in a calendar month (UTC) after which the operator is warned';

const newKey = jsonBody(
  Type.Object(
    {
      kind: Type.Optional(Type.Enum([...keyKinds], { description: 'Default: extraction.' })),
      plan: Type.Enum([...planNames]),
      test: Type.Optional(
        Type.Boolean({
          description: 'true for a test key, whose requests go to the lab and are free of charge. Default: false.',
        }),
      ),
      name,
      expiresAt: Type.Optional(
        Type.String({ ...timeText, description: 'When the key stops working (RFC 3339). Default: never.' }),
      ),
      spendWarning: Type.Optional(
        Type.Integer({ ...spendWarning, description: `${spendWarningText}. Default: no warning.` }),
      ),
    },
    closed,
  ),
  { plan: 'PRO', name: 'A customer' },
);

/** Creates a key. */
export const createKey = {
  method: 'POST',
  path: keysPath,
  summary: 'Create a key',
  description: 'Creates a key. Only this response contains it.',
  body: {
    ...newKey,
    parse(body: unknown) {
      const { expiresAt, ...others } = newKey.parse(body);
      return { ...others, ...(expiresAt === undefined ? {} : { expiresAt: readFutureTime(expiresAt, 'expiresAt') }) };
    },
  },
  responses: { 201: { description: 'The new key.', schema: issuedKeySchema }, ...refusedBody, ...unauthorized },
} as const satisfies AdminRoute;

/** Lists the keys. */
export const listKeys = {
  method: 'GET',
  path: keysPath,
  summary: 'List the keys',
  description: 'Returns the keys, newest first, each with its usage in this month.',
  responses: {
    200: {
      description: 'The keys.',
      schema: Type.Object({
        keys: Type.Array(Type.Object({ ...apiKeySchema.properties, usage: monthUsageSchema })),
      }),
    },
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Returns a key. */
export const getKey = {
  method: 'GET',
  path: keyPath,
  summary: 'Get a key',
  description: 'Returns a key with its usage in the last 13 months, newest first.',
  parameters: keyParameters,
  responses: {
    200: {
      description: 'The key.',
      schema: Type.Object({ ...apiKeySchema.properties, usage: Type.Array(monthUsageSchema) }),
    },
    ...unauthorized,
    ...unknownKey,
  },
} as const satisfies AdminRoute;

const changes = jsonBody(
  Type.Object(
    {
      plan: Type.Optional(Type.Enum([...planNames])),
      name,
      expiresAt: Type.Optional(
        Type.Union([timeText, Type.Null()], {
          description:
            'When the key stops working (RFC 3339), or null for never. A time that has passed ends it at once.',
        }),
      ),
      spendWarning: Type.Optional(
        Type.Union([spendWarning, Type.Null()], { description: `${spendWarningText}, or null for no warning.` }),
      ),
      disabled: Type.Optional(Type.Boolean({ description: 'true requires a `reason`.' })),
      reason: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, pattern: linePattern, description: 'Recorded in the audit log.' }),
      ),
    },
    closed,
  ),
  { plan: 'ULTRA', expiresAt: '2027-01-01T00:00:00Z', spendWarning: 50_000 },
);

/** Changes a key. */
export const updateKey = {
  method: 'PATCH',
  path: keyPath,
  summary: 'Change a key',
  description:
    'Changes the given members immediately on all nodes. A disabled key and its links are refused, and its unfinished jobs are cancelled. ' +
    'Keys in EXTRACTION_KEYS and RENDER_KEYS get their plan from these settings at each start.',
  parameters: keyParameters,
  body: {
    ...changes,
    parse(body: unknown) {
      const { expiresAt, ...others } = changes.parse(body);
      if (others.disabled === true && others.reason === undefined)
        throw invalidBody('body', [{ path: 'reason', message: 'is required to disable a key' }]);
      return {
        ...others,
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : readTime(expiresAt, 'expiresAt') }),
      };
    },
  },
  responses: {
    200: { description: 'The changed key.', schema: apiKeySchema },
    ...refusedBody,
    ...unauthorized,
    404: refusal('No active key has this ID.', 'not_found'),
  },
} as const satisfies AdminRoute;

/** Revokes a key. */
export const revokeKey = {
  method: 'DELETE',
  path: keyPath,
  summary: 'Revoke a key',
  description: 'Revokes a key on all nodes, immediately and permanently.',
  parameters: keyParameters,
  responses: {
    200: { description: 'The revoked key.', schema: apiKeySchema },
    ...refusedBody,
    ...unauthorized,
    ...unknownKey,
  },
} as const satisfies AdminRoute;

/** Replaces a key. */
export const rotateKey = {
  method: 'POST',
  path: `${keyPath}/rotate`,
  summary: 'Replace a key',
  description:
    'Creates another key for the same account, which keeps its jobs and usage. The old key works for `graceSeconds` more.',
  parameters: keyParameters,
  body: jsonBody(
    Type.Object(
      {
        graceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_GRACE_S, description: 'Default: 0.' })),
      },
      closed,
    ),
    { graceSeconds: 3_600 },
    { optional: true },
  ),
  responses: {
    200: { description: 'The new key.', schema: issuedKeySchema },
    ...refusedBody,
    ...unauthorized,
    404: refusal('No active key has this ID.', 'not_found'),
  },
} as const satisfies AdminRoute;
