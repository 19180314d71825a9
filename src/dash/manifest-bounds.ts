/** How much of a manifest is read before it counts as hostile. */
export interface ManifestBounds {
  /** Characters of the whole text. */
  readonly textLength: number;
  /** Elements of the whole text. */
  readonly elements: number;
  /** Elements within one another. */
  readonly depth: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Characters of one attribute's value. A longer one is left out: each representation would repeat it. */
  readonly attributeLength: number;
  /** Each inherits the attributes of its adaptation set, so many of them take more memory than the text. */
  readonly representations: number;
  /** Characters of all URLs together, after they are resolved. */
  readonly urlLength: number;
}

const MIB = 1024 * 1024;

/** Bounds that no honest manifest of whole files comes near; those seen have about 30 kB and 100 elements. */
export const defaultManifestBounds: ManifestBounds = {
  textLength: 4 * MIB,
  elements: 50_000,
  depth: 32,
  attributes: 200,
  attributeLength: 2_048,
  representations: 500,
  urlLength: 8 * MIB,
};
