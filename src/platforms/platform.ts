import type { TObject } from 'typebox';
import type { ContentMetadata } from '../contract/envelope.ts';
import type { ResponsePart } from '../contract/parameters.ts';
import type { SourceCaptions, SourceMedia } from '../contract/source-media.ts';
import type { Subjects } from '../contract/subjects.ts';
import type { UnreadKinds } from './unread.ts';

/** A platform: one folder under `src/platforms/`, and one line in the registry. */
export interface Platform {
  /** The neutral ID in paths, such as `p1`. */
  readonly id: string;
  /** The display name. */
  readonly title: string;
  /** Version of this platform's part of the API document. */
  readonly version: string;
  readonly endpoints: readonly Endpoint[];
  /**
   * Returns the ID of a channel unchanged, and its handle, with or without an at sign, as the site compares handles.
   * A handle in the result begins with an at sign.
   */
  channelName(text: string): string;
}

/** One GET endpoint of a platform. */
export interface Endpoint {
  /** The path below `/<platform>/v3`, such as `/video/details`. */
  readonly path: string;
  readonly summary: string;
  /**
   * Its query parameters: an object schema of string members, with the mandatory ones in `required`. A comma-separated
   * list has `type: array` of an item schema. If an endpoint declares `fields` (`fieldsParameter`) or `urlAccess`
   * (`urlAccessParameter`), the service applies it.
   */
  readonly parameters: TObject;
  /** The price of a request in credits. */
  readonly credits: Credits;
  /** Whether its responses have `contents`. */
  readonly contents: boolean;
  /** Paths of `metadata` members that every successful response has (`playlist.videos`), for the API document. */
  readonly returns?: readonly string[];
  /** How renders are offered. Absent if the endpoint has no media. */
  readonly renderables?: RenderableRules;
  /**
   * Names of the strategies that can find the contents on their own, in the preferred order: the client profiles and
   * routes of the site. Probes test each one. Absent if there is only one.
   */
  readonly strategies?: readonly string[];
  /** Parts of the response whose requests to the source are skipped if `fields` omits them. */
  readonly optionalParts?: readonly ResponsePart[];
  /**
   * Returns the item and the channel that the parameters name, as the reader of links in {@link extract} finds them:
   * what blocks are compared with. A parameter that `extract` refuses names nothing, and neither does a short link, which
   * only the site can resolve. Parameters of links may be missing or, from another version of the service, have any form.
   */
  subjects(parameters: EndpointParameters): Subjects;
  /**
   * Returns the parameters that contain links, in their shortest form: as the reader of links in {@link extract} finds
   * them, without the text around a link and what is appended to it. It has the same subjects and the same result. Sealed
   * links contain it, so its length is bounded. Endpoints with `contents` have this function.
   *
   * @throws MillraceError for a parameter that {@link extract} refuses.
   */
  canonical?(parameters: EndpointParameters): EndpointParameters;
  /**
   * Requests the data from the site and parses it.
   *
   * @throws MillraceError whose code gives the reason that there is no data.
   */
  extract(parameters: EndpointParameters, context: ExtractionContext): Promise<Extraction>;
}

/**
 * A price in credits: a fixed one; one that differs if `urlAccess` is proxied or a render config is returned; or one
 * that is not charged for failed extractions.
 */
export type Credits =
  | number
  | { readonly usual: number; readonly relayedOrRendered: number }
  | { readonly ifSuccessful: number };

/** How an endpoint's media become renderables. */
export interface RenderableRules {
  /**
   * Returns whether a value of `renderableFormats` (never one of lowres … all_highres) selects the video with this
   * label.
   */
  matches(label: string, format: string): boolean;
  /** Whether audio is always offered as a separate file. */
  readonly audio: boolean;
  /** Whether the images of a content without video are different images. Otherwise they are sizes of one. */
  readonly severalImages?: boolean;
}

/**
 * Validated parameters. Absent or empty ones are missing, and comma-separated lists are arrays without duplicates.
 * Extractions receive neither the parameters that the service applies for each caller (`appliedParameters`), nor
 * `nextToken`, nor a value that is its parameter's default. One result therefore serves all callers
 * with the same query.
 */
export type EndpointParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The context of an extraction. */
export interface ExtractionContext {
  /** Sends requests to the site through this extraction's exit. */
  readonly source: SourceClient;
  /** Upper-case codes of the countries with configured exits. */
  readonly countries: readonly string[];
  /** Sends requests through an exit in one of {@link countries}. */
  sourceIn(country: string): SourceClient;
  /** The requested page, and tokens for further ones. Endpoints without a `nextToken` parameter have one page. */
  readonly pages: Pages;
  /**
   * Whether a caller requests a part of the response. Requests that only serve other parts can be skipped, because
   * their data is removed from the response. Always true for parts that are not in the endpoint's `optionalParts`.
   */
  readonly requestsPart: (part: ResponsePart) => boolean;
  /** The only one of the endpoint's strategies to use, as a probe requests. Absent for callers' requests. */
  readonly strategy?: string;
  /**
   * Returns client profiles in the order in which to try them: those whose media was recently refused come last. Returns
   * only {@link strategy} if it is set.
   *
   * @param profiles The profiles in the preferred order.
   */
  profileOrder(profiles: readonly string[]): readonly string[];
  /** Returns the milliseconds that the extraction has left. Time in which the service could not run does not count. */
  timeLeft(): number;
  /** Aborted when no caller is waiting any more, or at the timeout. */
  readonly signal: AbortSignal;
}

/** Sends requests to a site. It follows a bounded number of redirects, and the address guard checks every hop. */
export interface SourceClient {
  /** Country of the exit, if one was chosen. */
  readonly country?: string;
  /**
   * @throws MillraceError `connection_error`, `operation_timeout`, `unexpected_redirect`, `address_refused`, or
   * `invalid_response_data` for a body over `maxBytes`. A status other than 2xx is not an error here.
   */
  get(url: string, options?: SourceRequest): Promise<SourceResponse>;
  /**
   * Sends a JSON body, or a form if the body is a `URLSearchParams`.
   *
   * @throws MillraceError the errors of {@link get}; `invalid_params` for a body over 64 KiB, which only a caller's
   * text can cause.
   */
  post(url: string, body: unknown, options?: SourceRequest): Promise<SourceResponse>;
}

/**
 * The requested page of a list. A cursor is any text that the platform needs to find a page again. Callers receive it
 * in sealed form, bound to the endpoint and the other parameters and valid for 15 minutes.
 */
export interface Pages {
  /** The cursor in the caller's `nextToken`; absent for the first page. */
  readonly cursor?: string;
  /** The subjects in the caller's `nextToken`, because further pages may not state them; absent for the first page. */
  readonly subjects?: Subjects;
  /**
   * Returns the `nextToken` for a cursor, or null if there is no further page. A response may contain several.
   *
   * @param subjects What the list belongs to, as this page states it. Those in the caller's `nextToken` are kept.
   * @throws MillraceError `invalid_response_data` for a cursor that is too long for a URL.
   */
  token(cursor: string | undefined, subjects: Subjects): string | null;
}

/** Options of a request to a site. */
export interface SourceRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** If false, a redirect is returned like any other response. */
  readonly followRedirects?: boolean;
  /** Default 4 MiB. */
  readonly maxBytes?: number;
  /** Time limit for the whole exchange in milliseconds; default 10,000. */
  readonly timeout?: number;
}

/** A site's response with any status. */
export interface SourceResponse {
  readonly status: number;
  /** Headers by lower-case name. Repeated headers are joined by a comma; `set-cookie` is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The final address, after redirects. */
  readonly url: string;
  /** The body as text, decoded as UTF-8. */
  readonly text: string;
}

/** The result of an extraction, before the caller's plan, key and render links are applied. */
export interface Extraction {
  readonly contents?: readonly SourceContent[];
  readonly metadata: ContentMetadata;
  /** The items and channels that the result belongs to, apart from those that its metadata and its request name. */
  readonly subjects?: Subjects;
  /**
   * The parts of the metadata that have links to media files of other items than the result's own: entries of lists, a
   * shared post. Previews do not count. `test/acceptance/blocked-entries.test.ts` finds parts that are not stated.
   */
  readonly parts?: readonly MetadataPart[];
  /** Captions of the only content. */
  readonly captions?: readonly SourceCaptions[];
  /** The sound that plays with the images of a post, if it is not among the contents. */
  readonly sound?: SourceSound;
  readonly notes?: readonly string[];
  /**
   * Entries of the response that no parser recognised. The service adds a note for each kind, and counts them, because
   * they show that the site has changed.
   */
  readonly unread?: UnreadKinds;
  /** Notes about the source's own media links, for callers who receive those. */
  readonly linkNotes?: readonly string[];
  /** Whether something is missing that a retry may find. Such a result is not cached. */
  readonly incomplete?: boolean;
  /** Country of the exit that the media links are bound to, if one was chosen. */
  readonly country?: string;
  /**
   * The client profile that returned the media links: one of the endpoint's `strategies`. Absent if the platform has
   * only one.
   */
  readonly profile?: string;
}

/** The members and positions in the metadata that lead to a part of it, such as `['playlist', 'videos', 0]`. */
export type PartPath = readonly (string | number)[];

/** A part of the metadata that responses leave out if one of its subjects is blocked. */
export interface MetadataPart {
  readonly path: PartPath;
  /** The items and channels that it belongs to. Those of the result can be absent. */
  readonly subjects: Subjects;
}

/** The sound of a post, which is left out of its files if one of the sound's subjects is blocked. */
export interface SourceSound extends SourceMedia {
  readonly subjects: Subjects;
}

/** One media item of the response, which responses leave out if one of its subjects is blocked. */
export interface SourceContent extends ContentMedia {
  /** The items and channels that it belongs to: `noSubjects` if they are those of the result. */
  readonly subjects: Subjects;
  /** The parts of the metadata that describe this content item only, and are left out with it. */
  readonly details?: readonly PartPath[];
}

/** The media of one item. Each list is absent when empty. */
export interface ContentMedia {
  readonly videos?: readonly SourceMedia[];
  readonly audios?: readonly SourceMedia[];
  readonly images?: readonly SourceMedia[];
  /** Why this content cannot be rendered (a live stream, for example), as a text for the caller. */
  readonly unrenderable?: string;
}
