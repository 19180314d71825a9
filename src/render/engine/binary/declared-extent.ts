/** The size and duration that a media file declares, read without decoding. */
export interface DeclaredExtent {
  /** Why the file is considered truncated, as a clause for messages; absent when the file seems complete. */
  readonly truncationReason?: string;
  /** Duration in seconds that the header declares; present only if the media library may not report it. */
  readonly duration?: number;
}
