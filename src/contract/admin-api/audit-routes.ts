import Type from 'typebox';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, checkedQuery, jsonBody, refusedBody, unauthorized } from './admin-route.ts';
import { auditEntrySchema, auditFaults } from './audit-entry.ts';
import { filter, nextCursor } from './members.ts';

const MAX_ENTRIES = 1_000;
/** Number of entries in a response without `limit`. */
export const defaultAuditEntries = 100;

/** Lists the entries of the audit log. */
export const listAuditEntries = {
  method: 'GET',
  path: `${adminBase}/audit`,
  summary: 'List the audit log',
  description:
    'Returns the changes that operators made, newest first. To get the next page, repeat the request with `cursor` ' +
    'set to `nextCursor`.',
  query: checkedQuery(
    Type.Object({
      actor: filter('Only changes of this actor.'),
      action: filter('Only this action, such as key.update.'),
      target: filter('Only changes of the object with this ID.'),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, description: `Entries; default ${defaultAuditEntries}.` }),
      ),
      cursor: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,18}$', description: 'The `nextCursor` of the previous page.' }),
      ),
    }),
  ),
  responses: {
    200: {
      description: 'A page of the audit log.',
      schema: Type.Object({
        entries: Type.Array(auditEntrySchema, { maxItems: MAX_ENTRIES }),
        nextCursor,
      }),
    },
    400: refusal('A parameter is not valid.', 'invalid_params'),
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Verifies the audit log. */
export const verifyAuditLog = {
  method: 'GET',
  path: `${adminBase}/audit/verify`,
  summary: 'Verify the audit log',
  description:
    'Checks that nobody has changed, deleted, inserted or reordered entries in the database. Save `head` outside the ' +
    'database, and pass it later as `anchor`: only that shows that the newest entries were deleted, or the whole log.',
  query: checkedQuery(
    Type.Object({
      anchor: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'The `head` of an earlier verification, or of the log.',
        }),
      ),
    }),
  ),
  responses: {
    200: {
      description: 'What the check found.',
      schema: Type.Object({
        intact: Type.Boolean({ description: 'Whether there is no fault.' }),
        entries: Type.Integer({ minimum: 0, description: 'Number of entries.' }),
        adopted: Type.Integer({
          minimum: 0,
          description: 'How many of them earlier versions wrote. They were sealed as they were at `since`.',
        }),
        unchained: Type.Integer({ minimum: 0, description: 'How many of them are not chained. Each is a fault.' }),
        since: Type.Union([Type.String(), Type.Null()], {
          description: 'When the chain began: at the first start of a version with it. Null if its start is missing.',
        }),
        head: Type.Union([Type.String(), Type.Null()], {
          description: 'Hash of the last entry, which covers all entries before it, too; null if no entry has one.',
        }),
        faults: Type.Array(
          Type.Object({
            kind: Type.Enum([...auditFaults], {
              description:
                'altered: the entry was changed, or entries before it were changed, deleted, inserted or reordered. ' +
                'unchained: an earlier version wrote the entry during an upgrade, or it was inserted. ' +
                'unsealed: the entry and those after it have no seal of a present secret. ' +
                'wrong_start: the record of where the log begins is missing or was changed. ' +
                'not_accepted: the chain began at `since`, and no operator has accepted that. ' +
                'missing: the entry of `anchor` does not exist.',
            }),
            entry: Type.Union([Type.String(), Type.Null()], { description: 'ID of the entry, if there is one.' }),
          }),
          { description: 'The first 100 faults.' },
        ),
      }),
    },
    400: refusal('A parameter is not valid.', 'invalid_params'),
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Accepts the start of the chain. */
export const acceptAuditLog = {
  method: 'POST',
  path: `${adminBase}/audit/accept`,
  summary: 'Accept the start of the audit log',
  description:
    'States that the chain of the audit log began at `since` for a known reason, such as an upgrade. Until then, its ' +
    'verification finds `not_accepted`, because somebody may have removed an earlier chain from the database.',
  body: jsonBody(
    Type.Object(
      { since: Type.String({ minLength: 1, maxLength: 30, description: 'The `since` of a verification, unchanged.' }) },
      { additionalProperties: false },
    ),
    { since: '2026-11-30T08:00:00.000Z' },
  ),
  responses: {
    200: {
      description: 'The start is accepted.',
      schema: Type.Object({ since: Type.String({ description: 'When the chain began.' }) }),
    },
    ...refusedBody,
    409: refusal('The chain did not begin then, or the record of its start was changed.', 'conflict'),
    ...unauthorized,
  },
} as const satisfies AdminRoute;
