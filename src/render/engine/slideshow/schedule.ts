/** Frames per second of a slideshow. Lower rates save little, because equal frames take almost no space. */
export const slideshowRate = 25;

/** Maximum number of frames from one key frame to the next, so that players can seek. */
const maxGroupFrames = 10 * slideshowRate;

/** Maximum duration of a slideshow in seconds. */
export const maxSlideshowSeconds = 7200;

/** When each image of a slideshow is shown, in frames. */
export interface SlideshowSchedule {
  /** Number of frames of the whole slideshow. */
  readonly frames: number;
  readonly framesPerImage: number;
  /** Number of frames from one key frame to the next. Each image begins with a key frame. */
  readonly groupFrames: number;
}

/**
 * Schedules a slideshow. The images repeat until the sound ends, but each is shown at least once.
 *
 * @param soundSeconds - duration of the sound; 0 without sound.
 */
export function scheduleSlideshow(images: number, secondsPerImage: number, soundSeconds: number): SlideshowSchedule {
  const wantedFrames = Math.max(1, secondsPerImage * slideshowRate);
  const groups = Math.ceil(wantedFrames / maxGroupFrames);
  const groupFrames = Math.max(1, Math.round(wantedFrames / groups));
  const framesPerImage = groups * groupFrames;
  const frames = Math.max(images * framesPerImage, Math.ceil(soundSeconds * slideshowRate));
  return { frames, framesPerImage, groupFrames };
}

/** Returns the index of the image that a frame shows. */
export function imageAt(frame: number, { framesPerImage }: SlideshowSchedule, images: number): number {
  return Math.floor(frame / framesPerImage) % images;
}
