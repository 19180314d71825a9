/** A cover image to store in a result. */
export interface Cover {
  readonly bytes: Buffer;
  readonly type: CoverType;
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Media types of the cover images that every container with covers can store. */
export type CoverType = 'image/jpeg' | 'image/png';

/** Returns the name under which players recognise an attached cover (RFC 9559 §21.2). */
export function coverFileName(type: CoverType): string {
  return type === 'image/png' ? 'cover.png' : 'cover.jpg';
}
