import { createTiktok } from '../index.ts';
import { defaultSite } from '../site.ts';

/** The platform as used in tests, without a pause between attempts. */
export const tiktok = createTiktok(defaultSite, () => Promise.resolve());
