/** A picture in one of its sizes, in pixels where they are known. */
export interface Picture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}
