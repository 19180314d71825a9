import Type from 'typebox';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, checkedQuery, unauthorized } from './admin-route.ts';
import { auditEntrySchema } from './audit-entry.ts';
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
