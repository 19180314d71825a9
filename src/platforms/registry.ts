/** Every platform of the service, one line each. */

export { dailymotion } from './dailymotion/index.ts';
export { facebook } from './facebook/index.ts';
export { instagram } from './instagram/index.ts';
export { pinterest } from './pinterest/index.ts';
export { tiktok } from './tiktok/index.ts';
export { youtube } from './youtube/index.ts';
