import { parseUrl } from '../contract/parse-url.ts';
import { codecFamilies } from '../hls/codec-families.ts';
import { defined } from '../parsing/values.ts';
import { defaultManifestBounds, type ManifestBounds } from './manifest-bounds.ts';
import { manifestFault } from './manifest-fault.ts';
import { parseDuration, parseFrameRate, parseNumber } from './manifest-numbers.ts';
import { parseXml, type XmlElement } from './xml.ts';

/** The whole files of a manifest: each has one URL and contains a complete track. */
export interface DashManifest {
  /** Whether the manifest describes a stream that has not ended. */
  readonly live: boolean;
  /** In seconds. */
  readonly duration?: number;
  /** In manifest order. */
  readonly representations: readonly DashRepresentation[];
  /** Number of representations omitted because they are encrypted. */
  readonly encryptedCount: number;
  /** Number of representations omitted because they are segmented or have no URL that can be fetched. */
  readonly unusableCount: number;
}

/** A representation that is one whole file. */
export interface DashRepresentation {
  readonly id?: string;
  readonly kind: 'video' | 'audio' | 'muxed';
  readonly url: string;
  readonly mimeType: string;
  readonly codecs: readonly string[];
  /** Codec families, such as `h264` and `aac`. */
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  /** In bits per second. */
  readonly bandwidth?: number;
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: number;
  /** In hertz. */
  readonly samplingRate?: number;
  readonly channels?: number;
  readonly language?: string;
  /**
   * All attributes, including those inherited from the adaptation set. Sites add their own attributes, such as
   * `FBQualityLabel`.
   */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Parses the whole files of a DASH manifest (ISO/IEC 23009-1, on-demand profile). Segmented and encrypted
 * representations are omitted and counted. Subtitles and images are ignored.
 *
 * @param baseUrl URL of the manifest; absent if it was embedded in another response, in which case every URL must be
 * absolute.
 * @throws MillraceError `invalid_response_data`, and no other error: for a text that is not a manifest, and for a
 * manifest with several periods, whose files are only parts of the whole.
 */
export function parseManifest(text: string, baseUrl?: string, bounds: Partial<ManifestBounds> = {}): DashManifest {
  const limits = { ...defaultManifestBounds, ...bounds };
  const root = parseXml(text, limits);
  if (root.name !== 'MPD') throw manifestFault(0, 'the root element is not MPD');
  const periods = childrenNamed(root, 'Period');
  const [period] = periods;
  if (period === undefined || periods.length > 1)
    throw manifestFault(0, `found ${periods.length} periods, but only one is supported`);
  const resolve = createUrlResolver(limits.urlLength);
  const periodBaseUrl = resolve(baseUrlOf(period), resolve(baseUrlOf(root), baseUrl));
  const periodProperties = propertiesOf(period);
  const omitted = { encryptedCount: 0, unusableCount: 0 };
  let count = 0;
  const representations = childrenNamed(period, 'AdaptationSet').flatMap((adaptationSet) => {
    const setBaseUrl = resolve(baseUrlOf(adaptationSet), periodBaseUrl);
    const setProperties = propertiesOf(adaptationSet);
    const segmented = setProperties.segmented || periodProperties.segmented;
    return childrenNamed(adaptationSet, 'Representation').flatMap((element) => {
      count += 1;
      if (count > limits.representations) {
        throw manifestFault(0, `more than ${limits.representations} representations`);
      }
      const attributes = new Map([...adaptationSet.attributes, ...element.attributes]);
      const kind = kindOf(attributes);
      if (kind === undefined) return [];
      const ownProperties = propertiesOf(element);
      if (ownProperties.encrypted || setProperties.encrypted) {
        omitted.encryptedCount += 1;
        return [];
      }
      const url = baseUrlOf(element) === undefined ? undefined : resolve(baseUrlOf(element), setBaseUrl);
      if (url === undefined || ownProperties.segmented || segmented) {
        omitted.unusableCount += 1;
        return [];
      }
      return [representation(attributes, kind, url, ownProperties.channels ?? setProperties.channels)];
    });
  });
  const duration =
    parseDuration(root.attributes.get('mediaPresentationDuration')) ?? parseDuration(period.attributes.get('duration'));
  return {
    live: root.attributes.get('type') === 'dynamic',
    ...(duration === undefined ? {} : { duration }),
    representations,
    ...omitted,
  };
}

function representation(
  attributes: ReadonlyMap<string, string>,
  kind: DashRepresentation['kind'],
  url: string,
  channels: number | undefined,
): DashRepresentation {
  const codecs = codecsOf(attributes);
  const { video, audio } = codecFamilies(codecs);
  const id = attributes.get('id');
  const members = {
    id: id === '' ? undefined : id,
    videoCodec: kind === 'audio' ? undefined : video,
    audioCodec: kind === 'video' ? undefined : audio,
    bandwidth: parseNumber(attributes.get('bandwidth')),
    width: parseNumber(attributes.get('width')),
    height: parseNumber(attributes.get('height')),
    frameRate: parseFrameRate(attributes.get('frameRate') ?? attributes.get('maxFrameRate')),
    samplingRate: parseNumber(attributes.get('audioSamplingRate')),
    channels,
    language: attributes.get('lang'),
  };
  const mimeType = attributes.get('mimeType') ?? (kind === 'audio' ? 'audio/mp4' : 'video/mp4');
  return { kind, url, mimeType, codecs, attributes, ...defined(members) };
}

/** Returns the kind of a representation, or undefined if it is neither video nor audio. */
function kindOf(attributes: ReadonlyMap<string, string>): DashRepresentation['kind'] | undefined {
  const { video, audio } = codecFamilies(codecsOf(attributes));
  if (video !== undefined && audio !== undefined) return 'muxed';
  const contentType = attributes.get('contentType') ?? attributes.get('mimeType')?.split('/', 1)[0];
  if (contentType !== undefined) return contentType === 'video' || contentType === 'audio' ? contentType : undefined;
  if (video !== undefined) return 'video';
  return audio === undefined ? undefined : 'audio';
}

function codecsOf(attributes: ReadonlyMap<string, string>): string[] {
  return (attributes.get('codecs') ?? '').split(',').flatMap((codec) => codec.trim() || []);
}

/** Returns the property elements that are direct children of an element. */
function propertiesOf({ children }: XmlElement): {
  encrypted: boolean;
  segmented: boolean;
  channels: number | undefined;
} {
  const configuration = children.find(({ name }) => name === 'AudioChannelConfiguration');
  return {
    encrypted: children.some(({ name }) => name === 'ContentProtection'),
    segmented: children.some(({ name }) => name === 'SegmentTemplate' || name === 'SegmentList'),
    channels: parseNumber(configuration?.attributes.get('value')),
  };
}

function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the first URL of an element; the others are copies. */
function baseUrlOf(element: XmlElement): string | undefined {
  return childrenNamed(element, 'BaseURL')[0]?.text;
}

type UrlResolver = (address: string | undefined, baseUrl: string | undefined) => string | undefined;

/**
 * Creates a resolver of URLs. It returns undefined for URLs that cannot be fetched, and throws if all URLs together, or
 * all that is parsed for them, exceed `maxTotal` characters.
 */
function createUrlResolver(maxTotal: number): UrlResolver {
  let total = 0;
  return (address, baseUrl) => {
    if (address === undefined) return baseUrl;
    const url = parseUrl(address, baseUrl);
    total += Math.max(address.length, baseUrl?.length ?? 0, url?.href.length ?? 0);
    if (total > maxTotal) throw manifestFault(0, `the URLs exceed ${maxTotal} characters`);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
    url.hash = '';
    return url.href;
  };
}
