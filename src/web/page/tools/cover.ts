import type { ExtractionResponse } from '#client/index.ts';
import { listAt, numberAt, textAt } from '#client/read-members.ts';

/** The largest cover image of an item. */
export interface Cover {
  readonly url: string;
  /** Pixels, if the platform states them. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Returns the largest cover image of a result. */
export function coverOf({ metadata }: ExtractionResponse): Cover | undefined {
  const covers = listAt(metadata.additionalData, 'thumbnails').flatMap((entry) => {
    const [url, width, height] = [textAt(entry, 'url'), numberAt(entry, 'width'), numberAt(entry, 'height')];
    return url === undefined || width === undefined || height === undefined ? [] : [{ url, size: { width, height } }];
  });
  const [largest] = covers.toSorted((a, b) => b.size.width * b.size.height - a.size.width * a.size.height);
  if (largest !== undefined) return largest;
  return metadata.thumbnailUrl === undefined ? undefined : { url: metadata.thumbnailUrl };
}
