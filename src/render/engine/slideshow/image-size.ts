/** A size in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Maximum width and height of a slideshow. */
const maxSide = 1920;

/** Returns an image's size within {@link maxSide}, in even numbers of pixels. Small images are not enlarged. */
export function boundedSize({ width, height }: ImageSize): ImageSize {
  return scaleBy({ width, height }, Math.min(1, maxSide / Math.max(width, height)));
}

/** Returns the size of a slideshow: that of its largest image. */
export function slideshowSize(sizes: readonly ImageSize[]): ImageSize {
  const [first, ...others] = sizes;
  if (first === undefined) throw new Error('a slideshow has no image');
  const { width, height } = others.reduce((largest, size) => (area(size) > area(largest) ? size : largest), first);
  return { width, height };
}

/** Returns the largest size with an image's aspect ratio within the frame, in even numbers of pixels. */
export function fittedSize(image: ImageSize, frame: ImageSize): ImageSize {
  const { width, height } = scaleBy(image, Math.min(frame.width / image.width, frame.height / image.height));
  return { width: Math.min(width, frame.width), height: Math.min(height, frame.height) };
}

function scaleBy({ width, height }: ImageSize, factor: number): ImageSize {
  const even = (length: number) => Math.max(2, 2 * Math.round((length * factor) / 2));
  return { width: even(width), height: even(height) };
}

function area({ width, height }: ImageSize): number {
  return width * height;
}
