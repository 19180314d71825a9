import type { VideoCodec } from '../../contract/encoding.ts';

/** A condition that a video must fulfil. */
export type Condition =
  | {
      /** `resolution` is the number in its label, such as 720, or else its shorter side in pixels. */
      readonly property: 'resolution' | 'fps' | 'bytes';
      readonly comparison: Comparison;
      readonly value: number;
      /** Whether a video whose property is unknown fulfils it. */
      readonly unknownPasses?: true;
    }
  | { readonly property: 'codec'; readonly oneOf: readonly VideoCodec[] }
  | { readonly property: 'hdr'; readonly value: boolean };

/** How a property is compared with a value. */
export type Comparison = '<' | '<=' | '=' | '>=' | '>';

/** The best or the worst of the videos that fulfil all conditions. */
export interface VideoWish {
  readonly order: 'best' | 'worst';
  readonly conditions: readonly Condition[];
}

/** What `--quality` selects. */
export type QualitySelector =
  /** The first wish that any video fulfils. */
  | { readonly kind: 'video'; readonly wishes: readonly VideoWish[] }
  | { readonly kind: 'audio'; readonly format?: 'm4a' | 'mp3' | 'opus' | 'flac' | 'wav' }
  | { readonly kind: 'image' }
  /** The quality with this label, such as `720p` or `native_hd`. */
  | { readonly kind: 'label'; readonly label: string };

/** Returns the quality of a selector without conditions: `best`, `worst`, `audio`, `image` or a label. */
export function simpleQuality(selector: QualitySelector): string | undefined {
  if (selector.kind === 'label') return selector.label;
  if (selector.kind !== 'video') return selector.kind;
  const [first] = selector.wishes;
  return first?.conditions.length === 0 ? first.order : undefined;
}
