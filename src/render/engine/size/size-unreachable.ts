import { MillraceError } from '../../../contract/errors.ts';

const remedy = 'Raise output.maxSize, or set clip to a shorter part.';

/** Creates the error for media that cannot be encoded to fit a size. `bytes` is the smallest possible size. */
export function sizeUnreachableError(maxBytes: number, seconds: number, bytes: number): MillraceError {
  const message = `output.maxSize is ${formatBytes(maxBytes, Math.floor)}, but ${formatSeconds(seconds)} of this media need about ${formatBytes(bytes, Math.ceil)}.`;
  return new MillraceError('size_unreachable', `${message} ${remedy}`);
}

/** Thrown when encoding to fit a size would exceed the time limit. */
export class TooSlowError extends MillraceError {
  /**
   * @param seconds - duration of the longest part that could be encoded in time.
   * @param hasVideo - whether video is encoded, for which a smaller height helps, too.
   */
  constructor(seconds: number, hasVideo: boolean) {
    const otherRemedy = hasVideo ? ', or operation.video.maxHeight to a smaller height' : '';
    super(
      'size_unreachable',
      `Encoding this media to fit output.maxSize would exceed the time limit. Set clip to at most ${formatSeconds(seconds)}${otherRemedy}.`,
    );
  }
}

function formatBytes(bytes: number, round: (value: number) => number): string {
  if (bytes < 1_000_000) return `${round(bytes / 1000)} kB`;
  return `${(round(bytes / 100_000) / 10).toFixed(1)} MB`;
}

function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds.toFixed(1)} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${hours} h ${minutes % 60} min`;
}
