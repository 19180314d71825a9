import type { EndReason } from './api-key.ts';

/** Why a key does not work and what to do, for its holder. The operator's own reason is not disclosed. */
export const endReasonTexts: Readonly<Record<EndReason, string>> = {
  revoked: 'The subscription of this key has ended. Renew it, or use another key.',
  disabled: 'The operator of the service has disabled this key. Contact the operator, or use another key.',
  expired: 'This key has expired. Ask the operator of the service to extend it, or use another key.',
};
