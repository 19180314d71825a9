import { isLinkRefusal, type MediaFetch, refusalOutcome } from '../../contract/media-fetch.ts';
import type { JobOrigin } from '../../contract/media-origin.ts';
import type { Exit } from '../../egress/exits.ts';

/** The exit of a probe, whose responses are observed. */
interface ObservedProbe {
  readonly exit: Exit;
  /** Whether a response showed that the link no longer works. */
  readonly isLinkRefused: boolean;
  /**
   * Reports once whether the media of the input started to arrive or was refused. Other failures are not reported: they
   * show nothing about the link.
   */
  report(): void;
}

/** Observes the probe of an input that comes from a platform. */
export function observeProbe(
  exit: Exit,
  origin: JobOrigin,
  input: number,
  report: (fetch: Omit<MediaFetch, 'caller'>) => void,
): ObservedProbe {
  const statuses: number[] = [];
  return {
    exit: {
      ...exit,
      exchange: (request, receive) =>
        exit.exchange(request, (head) => {
          statuses.push(head.status);
          return receive(head);
        }),
    },
    get isLinkRefused() {
      return statuses.some(isLinkRefusal);
    },
    report() {
      const { representations, ...item } = origin;
      const { id, country } = exit;
      const facts = {
        consumer: 'preview',
        origin: item,
        exit: id,
        ...(country === undefined ? {} : { country }),
      } as const;
      const status = statuses.find(isLinkRefusal);
      if (status !== undefined) {
        const outcome = refusalOutcome(status, { bytes: 0, representation: representations[input] });
        report({ ...facts, outcome, status, bytes: 0 });
      } else if (statuses.some((each) => each === 200 || each === 206)) {
        report({ ...facts, outcome: 'arrived', bytes: 1 });
      }
    },
  };
}
