/** A frame of the video of a segment. */
export interface SegmentFrame {
  /** Seconds from the presentation of the first frame of the segment in the file; may be negative. */
  readonly seconds: number;
  /** Whether decoding can begin at the frame, given the parameter sets of the video. */
  readonly isKey: boolean;
  /** Whether the segment, or its initialization section, has parameter sets at or before the frame. */
  readonly hasParameterSets: boolean;
}
