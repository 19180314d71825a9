/** A file below `/unusual/`: a real one of the title `amber-12`, with a change. */
export interface Unusual {
  readonly about: string;
  /** Source file, of twelve seconds with a keyframe every two; default `movie-180.mp4`. */
  readonly source?: string;
  /** Share of the file that is served; default 1. */
  readonly share?: number;
  /** Changes a copy of the file. */
  readonly patch?: (bytes: Buffer) => void;
  /** Makes boxes of the changed copy, which are added to the index of the MP4 file. The index then follows the media. */
  readonly addedBoxes?: (bytes: Buffer) => readonly Buffer[];
}
