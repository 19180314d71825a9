/** What a media file says of its own size and length, before anything is decoded. */
export interface DeclaredExtent {
  /** Why the file must be cut short, in words that go on after its name; absent when it seems whole. */
  readonly truncationReason?: string;
  /** Seconds that its header promises, where the media library may not tell. */
  readonly duration?: number;
}
