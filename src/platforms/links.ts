/** The public properties of every platform, one line each; for the service, the client library and the page. */

export { dailymotion } from './dailymotion/links.ts';
export { facebook } from './facebook/links.ts';
export { instagram } from './instagram/links.ts';
export { pinterest } from './pinterest/links.ts';
export { tiktok } from './tiktok/links.ts';
export { youtube } from './youtube/links.ts';
