import { defaultUserAgents } from '../clients.ts';
import { createTiktok } from '../index.ts';

/** The platform as it runs in tests: without a pause between two tries. */
export const tiktok = createTiktok(defaultUserAgents, () => Promise.resolve());
