import { dailymotion } from './dailymotion/index.ts';
import type { Platform } from './platform.ts';

/** Every platform of the service. */
export const platforms: readonly Platform[] = [dailymotion];
