import type { PlatformId } from '#client/index.ts';

/** Common forms of the links of each platform. `…` stands for an ID or a name. */
export const linkExamples: Readonly<Record<PlatformId, readonly string[]>> = {
  p1: ['youtube.com/watch?v=…', 'youtu.be/…', 'youtube.com/playlist?list=…', 'youtube.com/@…'],
  p2: ['instagram.com/p/…', 'instagram.com/reel/…'],
  p3: ['facebook.com/reel/…', 'fb.watch/…'],
  p4: ['tiktok.com/@…/video/…', 'vm.tiktok.com/…'],
  p5: ['dailymotion.com/video/…', 'dai.ly/…'],
  p6: ['pinterest.com/pin/…', 'pin.it/…'],
};
