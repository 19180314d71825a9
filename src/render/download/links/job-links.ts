import { callerOf } from '../../../accounts/owner.ts';
import { isItemRefusal } from '../../../contract/errors.ts';
import type { Job } from '../../../contract/job.ts';
import { isLinkRefusal, type MediaOutcome, refusalOutcome } from '../../../contract/media-fetch.ts';
import { defined } from '../../../parsing/values.ts';
import { adoptSpare, type InputState, initialState, isExpired, type SpareLink, type TracedLink } from './input-link.ts';
import { expiredLink, noFreshLink, representationGone, withInputNumber } from './link-errors.ts';
import type { LinkServices } from './link-port.ts';
import { createLinkUses, type LinkUses } from './link-uses.ts';
import { createSharedWork } from './shared-work.ts';
import type { LinkRefused, LinkState, SourceLink } from './source-link.ts';

/** Maximum number of times that the link of an input is replaced because it failed. */
const MAX_REPLACEMENTS = 2;

/** The link of an input. */
export interface InputLink extends SourceLink {
  /** Records that the input is complete. */
  arrived(): void;
}

/** The links of all inputs of a run. All attempts to fetch an input share its link. */
export interface JobLinks {
  /** The link of each input. */
  readonly inputs: readonly InputLink[];
  /** Number of links that were replaced so far. */
  readonly replacements: number;
  /** Reports the links whose inputs did not become complete. */
  close(): void;
}

/**
 * Creates the links of a job. When a link fails, its platform is asked once for the links of all inputs. The failed input
 * uses its new link immediately. The other inputs keep theirs while they work, so that no running request is disturbed;
 * they use the new ones once theirs fail.
 *
 * The links of a job without an origin are never replaced, and nothing is reported about them.
 *
 * @param uses Records how the links are used.
 */
export function createJobLinks(
  job: Job,
  services?: LinkServices,
  uses: LinkUses = createLinkUses(job.inputs.length),
): JobLinks {
  const { origin } = job;
  const states = job.inputs.map((input, index) => initialState(input, origin?.profile, origin?.representations[index]));
  const failedProfiles = new Set<string>();
  const healing = createSharedWork<boolean>();
  let replacements = 0;

  /** Reports the outcome of an input's present link, unless that has happened. */
  function report(state: InputState, outcome: MediaOutcome, status?: number): void {
    if (state.isReported || origin === undefined) return;
    state.isReported = true;
    const { received, profile } = state.link;
    const { platform, endpoint, parameters, item, content } = origin;
    if (services === undefined) return;
    const { id: exit, country } = services.exit;
    services.reportMediaFetch?.({
      consumer: 'render',
      caller: callerOf(services.owner),
      origin: { platform, endpoint, parameters, content, ...defined({ item, profile }) },
      exit,
      ...(country === undefined ? {} : { country }),
      outcome,
      ...(isLinkRefusal(status) ? { status } : {}),
      bytes: received.bytes,
    });
  }

  /** Requests new links to all inputs, and keeps them as spares. Returns false if none may be requested. */
  async function requestSpares(input: number, signal: AbortSignal): Promise<boolean> {
    if (origin === undefined || services?.healer === undefined) return false;
    const { representations, ...item } = origin;
    const { owner, start, requestId, exit } = services;
    const known = new Set(failedProfiles);
    const query = { item, representations, exit: exit.id, failedProfiles: [...known] };
    const request = { ...query, subject: job.id, owner, start, requestId, input };
    const freshLinks = await services.healer.heal(request, signal);
    // A late result must not replace that of a later request.
    signal.throwIfAborted();
    if (freshLinks === undefined) return false;
    for (const [index, state] of states.entries()) {
      const fresh = freshLinks.links[index];
      // With another container or protocol, the files and the operation of the job would be different.
      const isUsable = fresh !== undefined && fresh.ext === job.inputs[index]?.ext;
      state.spare = isUsable ? { fresh, profile: freshLinks.profile, failedProfiles: known } : undefined;
    }
    return true;
  }

  /** Whether a spare link can be expected to work. A failed profile is acceptable if the platform knew of the failure. */
  function isPromising({ fresh, profile, failedProfiles: known }: SpareLink): boolean {
    const hasFailedSince = profile !== undefined && failedProfiles.has(profile) && !known.has(profile);
    return !hasFailedSince && !isExpired(fresh);
  }

  /** Returns a new link to an input; undefined if another part of the input has replaced the link in the meantime. */
  async function obtainSpare(
    index: number,
    state: InputState,
    refusal: LinkRefused,
    signal: AbortSignal,
  ): Promise<SpareLink | undefined> {
    const former = state.link;
    if (state.spare !== undefined && isPromising(state.spare)) return state.spare;
    for (let isLast = false; ; isLast = true) {
      const isGranted = await healing
        .join((shared) => requestSpares(index, shared), signal)
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw isItemRefusal(error) ? withInputNumber(error, index) : noFreshLink(refusal, error);
        });
      if (state.link !== former) return undefined;
      if (!isGranted) throw refusal;
      if (state.spare === undefined) throw representationGone(refusal);
      // A request that another input started may not have excluded the profile of this one.
      if (isLast || isPromising(state.spare)) return state.spare;
    }
  }

  async function replace(
    index: number,
    state: InputState,
    refusal: LinkRefused,
    outcome: MediaOutcome,
    signal: AbortSignal,
  ): Promise<void> {
    const { profile: formerProfile } = state.link;
    if ((outcome === 'refused' || outcome === 'cut') && formerProfile !== undefined) failedProfiles.add(formerProfile);
    if (services === undefined || state.replacements >= MAX_REPLACEMENTS) throw refusal;
    const { version } = state.link;
    const spare = await obtainSpare(index, state, refusal, signal);
    // Another part of the input may have adopted the spare in the meantime.
    if (spare === undefined || state.link.version !== version) return;
    report(state, outcome, refusal.responseStatus);
    adoptSpare(state, spare);
    state.replacements += 1;
    replacements += 1;
    uses.linkReplaced(index);
    services.onReplaced({ input: index, outcome, formerProfile, profile: spare.profile });
  }

  /** Replaces a link that expired before any request. Keeps it if that fails, because it may still work. */
  async function replaceExpired(index: number, state: InputState, signal: AbortSignal): Promise<void> {
    const { link } = state;
    try {
      await replace(index, state, expiredLink(index), 'expired', signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isItemRefusal(error)) throw error;
      if (state.link === link) state.isExpiryAccepted = true;
    }
  }

  /** Returns a link that records its client profile when bytes arrive through it. */
  function linkInUse(index: number, link: TracedLink): LinkState {
    const { profile } = link;
    return profile === undefined ? link : { ...link, onFirstBytes: () => uses.bytesArrived(index, profile) };
  }

  const inputs = states.map(
    (state, index): InputLink => ({
      get current() {
        return state.link;
      },
      async open(signal) {
        if (!state.isRequested && state.spare !== undefined && isPromising(state.spare)) adoptSpare(state, state.spare);
        if (!state.isRequested && !state.isExpiryAccepted && isExpired(state.link)) {
          await replaceExpired(index, state, signal);
        }
        state.isRequested = true;
        return linkInUse(index, state.link);
      },
      async replace(used, refusal, signal) {
        const { link } = state;
        if (link.version !== used.version) return;
        const outcome = refusalOutcome(refusal.responseStatus, { bytes: link.received.bytes, representation: link });
        try {
          await replace(index, state, refusal, outcome, signal);
        } catch (error) {
          // The site also refuses the media of an item that it no longer shows. This says nothing about the profile.
          if (state.link === link) report(state, isItemRefusal(error) ? 'died' : outcome, refusal.responseStatus);
          throw error;
        }
      },
      arrived() {
        if (state.isRequested) report(state, 'arrived');
      },
    }),
  );
  return {
    inputs,
    get replacements() {
      return replacements;
    },
    close() {
      for (const state of states) if (state.isRequested) report(state, 'failed');
    },
  };
}
