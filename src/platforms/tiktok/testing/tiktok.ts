import { createTiktok } from '../index.ts';
import { defaultSite } from '../site.ts';

/** The platform as it runs in tests: without a pause between two tries. */
export const tiktok = createTiktok(defaultSite, () => Promise.resolve());
