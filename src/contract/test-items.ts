import { dailymotionItems } from './test-items/dailymotion.ts';
import { facebookItems } from './test-items/facebook.ts';
import { instagramItems } from './test-items/instagram.ts';
import { pinterestItems } from './test-items/pinterest.ts';
import type { TestItem } from './test-items/test-item.ts';
import { tiktokItems } from './test-items/tiktok.ts';
import { youtubeItems } from './test-items/youtube.ts';

/** The documented items of the lab. They keep their outcomes. */
export const testItems: readonly TestItem[] = [
  ...youtubeItems,
  ...instagramItems,
  ...facebookItems,
  ...tiktokItems,
  ...dailymotionItems,
  ...pinterestItems,
];

const testIds: ReadonlySet<string> = new Set(
  testItems.filter(({ isShared }) => !isShared).map(({ platform, id }) => `${platform} ${id}`),
);

/** Whether an ID is one of a test item that the real platform does not have. */
export function isTestId(platform: string, id: string): boolean {
  return testIds.has(`${platform} ${id}`);
}
