/** Frames per second of a slideshow. Lower rates save little, because equal frames take almost no space. */
const usualRate = 25;

/** Maximum number of seconds from one key frame to the next, so that players can seek. */
const maxGroupSeconds = 10;

/** Maximum duration of a slideshow in seconds. */
export const maxSlideshowSeconds = 7200;

/** When each image of a slideshow is shown, in frames. */
export interface SlideshowSchedule {
  /** Frames per second, a whole number. */
  readonly rate: number;
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
 * @param maxFps - maximum number of frames per second, at least 1.
 */
export function scheduleSlideshow(
  images: number,
  secondsPerImage: number,
  soundSeconds: number,
  maxFps = usualRate,
): SlideshowSchedule {
  const rate = Math.min(usualRate, Math.floor(maxFps));
  const wantedFrames = Math.max(1, secondsPerImage * rate);
  const groups = Math.ceil(wantedFrames / (maxGroupSeconds * rate));
  const groupFrames = Math.max(1, Math.round(wantedFrames / groups));
  const framesPerImage = groups * groupFrames;
  const frames = Math.max(images * framesPerImage, Math.ceil(soundSeconds * rate));
  return { rate, frames, framesPerImage, groupFrames };
}

/** Returns the index of the image that a frame shows. */
export function imageAt(frame: number, { framesPerImage }: SlideshowSchedule, images: number): number {
  return Math.floor(frame / framesPerImage) % images;
}
