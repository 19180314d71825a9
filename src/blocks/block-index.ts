import { MillraceError } from '../contract/errors.ts';
import type { ItemOrigin } from '../contract/media-origin.ts';
import { noSubjectReader, type SubjectReader, subjectOf } from '../contract/subjects.ts';
import { trimTrailing } from '../contract/trim-trailing.ts';
import type { Block } from './block.ts';

/** Decides what is refused because the operator has blocked it. */
export interface BlockIndex {
  /** Whether any item or channel is blocked. Lets callers skip finding the subjects of a result. */
  readonly hasSubjects: boolean;
  /** Returns the error for the first of the subjects that is blocked; undefined if none is. */
  refusalOf(subjects: readonly string[]): MillraceError | undefined;
  /** Returns the error for what a link or a job came from; undefined if it is not blocked. */
  refusalOfOrigin(origin: ItemOrigin): MillraceError | undefined;
  /**
   * Returns the subjects of what a link or a job came from: those that it states, and those that its parameters name.
   * Links of former versions state few or none.
   */
  subjectsOfOrigin(origin: ItemOrigin): readonly string[];
  /** Returns the error for a host that is blocked, itself or as a subdomain; undefined for any other. A trailing dot is ignored. */
  refusalOfHost(host: string): MillraceError | undefined;
}

/** Creates an index of blocks. Blocks end when they expire. */
export function createBlockIndex(
  blocks: readonly Block[],
  reader: SubjectReader,
  now: () => number = Date.now,
): BlockIndex {
  const isHost = ({ kind }: Block) => kind === 'host';
  const hosts = new Map(blocks.filter(isHost).map((block) => [block.value, block]));
  const subjects = new Map(
    blocks.flatMap((block) => {
      const { kind, platform, value } = block;
      if (kind === 'host') return [];
      // Former versions stored values as operators wrote them.
      return [[subjectOf(platform, kind, reader.find(platform, kind, value) ?? value), block] as const];
    }),
  );
  const inForce = (block: Block | undefined) =>
    block === undefined || (block.expiresAt !== null && block.expiresAt.getTime() <= now()) ? undefined : block;
  function refusalOf(candidates: readonly string[]): MillraceError | undefined {
    for (const candidate of candidates) {
      const block = inForce(subjects.get(candidate));
      if (block !== undefined) return blockedError(block, block.kind === 'item' ? 'this item' : 'this channel');
    }
    return undefined;
  }
  const subjectsOfOrigin = (origin: ItemOrigin) => [
    ...new Set([...(origin.subjects ?? []), ...reader.ofQuery(origin)]),
  ];
  return {
    hasSubjects: subjects.size > 0,
    refusalOf,
    refusalOfOrigin: (origin) => (subjects.size === 0 ? undefined : refusalOf(subjectsOfOrigin(origin))),
    subjectsOfOrigin,
    refusalOfHost(host) {
      if (hosts.size === 0) return undefined;
      for (let name = trimTrailing(host.toLowerCase(), '.'); name !== ''; name = parentOf(name)) {
        const block = inForce(hosts.get(name));
        if (block !== undefined) return blockedError(block, block.value);
      }
      return undefined;
    },
  };
}

/** Blocks nothing: the block list of a command that runs without a service. */
export const noBlocks: BlockIndex = createBlockIndex([], noSubjectReader);

/** Returns the domain above a host name; empty for the last one. */
function parentOf(host: string): string {
  const dot = host.indexOf('.');
  return dot === -1 ? '' : host.slice(dot + 1);
}

function blockedError({ reason }: Block, what: string): MillraceError {
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return new MillraceError('blocked', `The operator of this service has blocked ${what}: ${sentence}`, { reason });
}
