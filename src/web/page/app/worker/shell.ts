/** The page's own files of one version, as the service worker receives them from the service. */
export interface Shell {
  /** Changes with the page's document and with its assets. */
  readonly version: string;
  /** Folder of the assets, relative to the page. */
  readonly folder: string;
  /** Paths of the assets below that folder that the page needs without a network. */
  readonly files: readonly string[];
}
