import type { Static } from 'typebox';
import type { apiKeySchema, issuedKeySchema, MonthUsage } from '../../contract/admin-api/api-key.ts';
import { formatTable } from '../terminal/table.ts';

type ApiKey = Static<typeof apiKeySchema>;

/** Formats the response that contains a new key. */
export function issuedKeyText(response: unknown): string {
  const { id, test, plan, key, kind: api } = response as Static<typeof issuedKeySchema>;
  const kind = test ? `${api} test` : api;
  return `${key}\n\nStore this key now: it will not be shown again. It is the ${kind} key ${id} with the plan ${plan}.\n`;
}

/** Creates the formatter of a response to a change, such as `Revoked`. */
export function changedKeyText(what: string): (response: unknown) => string {
  return (response) => `${what} the key ${(response as ApiKey).id}.\n`;
}

/** Formats the list of keys. */
export function keyListText(response: unknown): string {
  const { keys } = response as { keys: readonly (ApiKey & { readonly usage: MonthUsage })[] };
  const rows = keys.map((key) => [
    key.id,
    key.test ? `${key.kind} (test)` : key.kind,
    key.plan,
    `${key.usage.credits}`,
    `${key.usage.requests}`,
    key.createdAt.slice(0, 10),
    stateText(key),
    key.name,
  ]);
  const table = formatTable([['ID', 'KIND', 'PLAN', 'CREDITS', 'REQUESTS', 'CREATED', 'STATE', 'NAME'], ...rows]);
  const unused = keys.filter(({ needsSigningSecret, revokedAt }) => needsSigningSecret && revokedAt === null).length;
  if (unused === 0) return table;
  const which = unused === 1 ? '1 key has' : `${unused} keys have`;
  return `${table}\n${which} not been used since the upgrade: keep the present SIGNING_SECRETS until then.\n`;
}

function stateText({ revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`;
  if (disabledAt !== null) return `disabled ${disabledAt.slice(0, 10)}`;
  if (expiresAt === null) return 'active';
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`;
}
