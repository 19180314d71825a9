import type { MediaOutcome, ReportMediaFetch } from '../../../contract/media-fetch.ts';
import type { LinkHealer } from '../../../link-healing/link-healer.ts';

/** How a run replaces links and reports their outcomes. */
export interface LinkServices {
  /** Absent if links are never replaced. */
  readonly healer?: LinkHealer | undefined;
  readonly reportMediaFetch?: ReportMediaFetch | undefined;
  /** ID of the account that started the job. */
  readonly owner: string;
  /** Identifies the start of the job, whose links may be replaced a limited number of times. */
  readonly start?: string | undefined;
  /** ID of the request that started the job, for the log. */
  readonly requestId?: string | undefined;
  /** The exit through which the inputs are fetched. */
  readonly exit: { readonly id: string; readonly country?: string };
  /** Called when the link of an input has been replaced. */
  readonly onReplaced: (replacement: LinkReplacement) => void;
}

/** The replacement of a link. */
export interface LinkReplacement {
  /** Index of the input. */
  readonly input: number;
  /** How the fetch through the former link ended. */
  readonly outcome: MediaOutcome;
  /** Client profile that returned the former and the new link. */
  readonly formerProfile: string | undefined;
  readonly profile: string | undefined;
}
