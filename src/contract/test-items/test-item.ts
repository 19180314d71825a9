import { endpointPath } from '../endpoint-path.ts';
import type { ErrorCode } from '../errors.ts';

/** An item of the lab that has one documented outcome. */
export interface TestItem {
  /** Neutral ID of its platform, such as `p1`. */
  readonly platform: string;
  /** ID of the item on its platform. */
  readonly id: string;
  /** Path of the endpoint that returns it, such as `/p1/v3/video/details`. */
  readonly path: string;
  /** Query parameter that selects it, and the value: its ID, or a link that contains the ID. */
  readonly parameter: string;
  readonly value: string;
  readonly about: string;
  /** Error of a request for it. Absent if the request succeeds. */
  readonly error?: ErrorCode;
  /** Error of a render of it. Absent if renders succeed, and if it cannot be rendered. */
  readonly renderError?: ErrorCode;
  /**
   * Whether the platform may have an item with the same ID. Keys that are not test keys then get the platform's item.
   */
  readonly isShared: boolean;
}

/** The items of one endpoint. */
interface EndpointItems {
  readonly platform: string;
  /** Path below the platform's, such as `/video/details`. */
  readonly path: string;
  readonly parameter: string;
  /** Returns the link to an item, if the parameter is a link; default: the ID. */
  readonly link?: (id: string) => string;
  readonly isShared?: boolean;
  /** The items by ID: their descriptions, or outcomes made by {@link refused} or {@link unrenderable}. */
  readonly items: Readonly<Record<string, string | Outcome>>;
}

type Outcome = Pick<TestItem, 'about' | 'error' | 'renderError'>;

/** Returns the items of an endpoint. */
export function itemsOf({ platform, path, parameter, link, isShared = false, items }: EndpointItems): TestItem[] {
  return Object.entries(items).map(([id, outcome]) => ({
    platform,
    id,
    path: endpointPath(platform, path),
    parameter,
    value: link?.(id) ?? id,
    isShared,
    ...(typeof outcome === 'string' ? { about: outcome } : outcome),
  }));
}

/** Describes an item whose requests fail. */
export function refused(error: ErrorCode, about: string): Outcome {
  return { about, error };
}

/** Describes an item whose renders fail. */
export function unrenderable(renderError: ErrorCode, about: string): Outcome {
  return { about, renderError };
}
