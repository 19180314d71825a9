/**
 * A request that tells whether an endpoint still reads the site: about a public item that has existed for years, with
 * the fields that its response must have.
 */
export interface Probe {
  /** Unique in its platform, in the form `video` or `channel-videos`. */
  readonly name: string;
  /** The path of the endpoint, such as `/video/details`. */
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Paths in the response that must have a value, such as `metadata.title` or `contents.0.videos`. */
  readonly expects: readonly string[];
  /**
   * Path of the object with a `nextToken`, such as `metadata.playlist`, whose next page must differ from this one.
   * Absent for endpoints with one page.
   */
  readonly pages?: string;
  /** Whether the media of the response must arrive, from each of the endpoint's strategies. */
  readonly media?: boolean;
  /** The strategies that can find this item, such as a reel; absent for all strategies of the endpoint. */
  readonly strategies?: readonly string[];
}
