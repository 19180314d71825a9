/** A MediaItem. */
export interface Item {
  readonly label: string;
  readonly url: string;
  readonly repId: string;
  readonly metadata: Record<string, unknown>;
}

/** A RenderableMediaItem: a render config, or the error instead of one. */
export interface Renderable {
  readonly label: string;
  readonly error?: string;
  readonly repId?: string;
  readonly renderConfig?: { readonly executionUrl: string; readonly statusUrl: string; readonly sseStatusUrl: string };
  readonly metadata?: Record<string, unknown>;
}

/** The envelope of the extraction API. */
export interface Result {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly statusCode: number;
    readonly retryable: boolean;
    readonly requestId: string;
    readonly parameter?: string;
    readonly reason?: string;
    readonly allowedCountries?: readonly string[];
    readonly availableCountries?: readonly string[];
    readonly tryAgainAt?: string;
  } | null;
  readonly contents?: readonly {
    readonly videos?: readonly Item[];
    readonly audios?: readonly Item[];
    readonly images?: readonly Item[];
    readonly renderableVideos?: readonly Renderable[];
    readonly renderableAudios?: readonly Renderable[];
  }[];
  readonly metadata: Record<string, unknown> & { readonly additionalData?: Record<string, unknown> };
  readonly notes?: readonly string[];
}
