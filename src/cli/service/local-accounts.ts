import { secondsLeftInMonth } from '../../accounts/billing-month.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger, RequestLimits } from '../../accounts/ledger.ts';
import type { Allowance } from '../../accounts/limit-error.ts';
import type { Config } from '../../config.ts';
import { type KeyKind, keyKinds } from '../../contract/key-kinds.ts';
import { matchesSecret } from '../../sealing/compare-secret.ts';

type AccountKeys = Pick<Keys, 'find' | 'findAccount' | 'isDisabled'>;

/** Returns the keys of a local service: only those of its settings. */
export function localKeys(config: Pick<Config, 'EXTRACTION_KEYS' | 'RENDER_KEYS' | 'PLAN_LIMITS'>): AccountKeys {
  const { EXTRACTION_KEYS: extraction, RENDER_KEYS: render, PLAN_LIMITS: plans } = config;
  const accountOf = (kind: KeyKind): Account => ({ id: `${kind}:command`, plan: plans.MEGA, test: false });
  const secrets = { extraction: extraction.map(({ key }) => key), render };
  return {
    find: async (kind, text) =>
      secrets[kind].some((secret) => matchesSecret(text, secret)) ? accountOf(kind) : undefined,
    isDisabled: () => false,
    findAccount: async (id) => keyKinds.map(accountOf).find((account) => account.id === id),
  };
}

/** Returns the ledger of a local service, which charges nothing. */
export function freeLedger(): Ledger {
  const allowance = ({ credits }: RequestLimits): Allowance => ({
    limit: credits,
    remaining: credits,
    reset: secondsLeftInMonth(new Date()),
  });
  return {
    async reserve(_account, limits) {
      return { allowance: allowance(limits), settle: async () => allowance(limits) };
    },
    pay: async (_account, limits) => allowance(limits),
    close: async () => undefined,
  };
}
