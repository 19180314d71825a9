/** Limits above which a manifest is considered hostile and rejected. */
export interface ManifestBounds {
  /** Maximum number of characters in the text. */
  readonly textLength: number;
  /** Maximum number of elements in the text. */
  readonly elements: number;
  /** Maximum nesting depth of elements. */
  readonly depth: number;
  /** Maximum number of attributes of one element. */
  readonly attributes: number;
  /**
   * Maximum number of characters in one attribute's value. Longer values are omitted, because each representation would
   * repeat them.
   */
  readonly attributeLength: number;
  /**
   * Maximum number of representations. Each inherits the attributes of its adaptation set, so a large number of them
   * takes more memory than the text.
   */
  readonly representations: number;
  /** Maximum number of characters in all resolved URLs together. */
  readonly urlLength: number;
}

const KIB = 1024;

/**
 * Limits far above the sizes of legitimate manifests of whole files, which have about 30,000 characters and 100
 * elements. A manifest at its limits occupies the event loop for 40 ms.
 */
export const defaultManifestBounds: ManifestBounds = {
  textLength: 512 * KIB,
  elements: 5_000,
  depth: 32,
  attributes: 200,
  attributeLength: 2_048,
  representations: 500,
  urlLength: 1024 * KIB,
};
