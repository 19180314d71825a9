import { platform as dailymotion } from './dailymotion/index.ts';
import { platform as facebook } from './facebook/index.ts';
import { platform as instagram } from './instagram/index.ts';
import type { LabPlatform } from './lab-platform.ts';
import { platform as pinterest } from './pinterest/index.ts';
import { platform as tiktok } from './tiktok/index.ts';
import { platform as youtube } from './youtube/index.ts';

/** The simulated platforms, in the order of their IDs. */
export const platforms: readonly LabPlatform[] = [youtube, instagram, facebook, tiktok, dailymotion, pinterest];
