import type { KeyKind } from '../contract/key-kinds.ts';
import type { PlanName } from '../contract/subscription-plans.ts';

/** A key as administrators see it. */
export interface ApiKeyInfo {
  readonly id: string;
  readonly kind: KeyKind;
  /** Name that the operator gave the key. */
  readonly name: string;
  readonly plan: PlanName;
  /** Whether it is a test key, whose requests go to the lab and are free of charge. It never changes. */
  readonly test: boolean;
  readonly createdAt: Date;
  /** Time at which it was revoked. */
  readonly endedAt: Date | null;
  /** Time at which it stops working. */
  readonly expiresAt: Date | null;
  /** Time at which the operator disabled it, and why. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** Credits in a calendar month after which the operator is warned, and the last month in which that happened. */
  readonly spendWarning: number | null;
  readonly spendWarnedMonth: string | null;
  /** Whether the key is lost with the signing secret that it was created under, because it has not been used since. */
  readonly needsSigningSecret: boolean;
}

/** Why a key no longer works. */
export type EndReason = 'revoked' | 'disabled' | 'expired';

/** The columns of `api_keys` that {@link ApiKeyInfo} consists of. */
export const infoColumns = `id, kind, name, plan, test, created_at as "createdAt", ended_at as "endedAt",
  expires_at as "expiresAt", disabled_at as "disabledAt", disabled_reason as "disabledReason",
  spend_warning as "spendWarning", spend_warned_month as "spendWarnedMonth", key_hash is null as "needsSigningSecret"`;

/** Returns the account ID of a key. */
export function accountIdOf({ kind, id }: Pick<ApiKeyInfo, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** Returns why a key does not work at a time, in milliseconds since 1970; undefined if it works. */
export function endReasonOf(
  { endedAt, disabledAt, expiresAt }: Pick<ApiKeyInfo, 'endedAt' | 'disabledAt' | 'expiresAt'>,
  now: number,
): EndReason | undefined {
  if (endedAt !== null) return 'revoked';
  if (disabledAt !== null) return 'disabled';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : undefined;
}
