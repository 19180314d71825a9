import { callerOf } from '../../accounts/owner.ts';
import type { BlockIndex } from '../../blocks/block-index.ts';
import { isVisitor } from '../../contract/caller.ts';
import type { ItemOrigin, Representation } from '../../contract/media-origin.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { noSubjects } from '../../contract/subjects.ts';
import type { Exits } from '../../egress/exits.ts';
import type { FindFreshLinks, FreshLink } from '../../link-healing/fresh-links.ts';
import type { Platform, SourceContent } from '../../platforms/platform.ts';
import { textsOfSubjects } from '../../platforms/subjects.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { createSingleFlight } from '../cache/single-flight.ts';
import { subjectsOfExtraction } from '../extraction-subjects.ts';
import type { FetchSource, SourceExtraction } from '../source/extract.ts';
import { originQuery } from './origin-query.ts';

/** Dependencies of {@link createFindFreshLinks}. */
interface FreshLinksServices {
  readonly platforms: readonly Platform[];
  /** The process's only way to the platforms, so that all limits and counts apply. */
  readonly fetchSource: FetchSource;
  readonly exits: Pick<Exits, 'byId'>;
  readonly sealer: Sealer;
  readonly blocks: Pick<BlockIndex, 'hasSubjects' | 'refusalOf'>;
}

/**
 * Creates the function that asks platforms for new links. Concurrent identical queries share one extraction. No result
 * is cached, and none comes from the cache, because the links there may be the ones that do not work.
 */
export function createFindFreshLinks(services: FreshLinksServices): FindFreshLinks {
  const { platforms, fetchSource, exits, sealer, blocks } = services;
  const singleFlight = createSingleFlight<SourceExtraction>();

  /** @throws MillraceError `blocked`: the site may state an item or a channel that the link does not name. */
  function refuseIfBlocked(item: ItemOrigin, extraction: SourceExtraction, content: SourceContent | undefined): void {
    const platform = platforms.find(({ id }) => id === item.platform);
    if (platform === undefined || !blocks.hasSubjects) return;
    const ofContent = textsOfSubjects(platform, content?.subjects ?? noSubjects);
    const refusal = blocks.refusalOf([...subjectsOfExtraction(platform, extraction), ...ofContent]);
    if (refusal !== undefined) throw refusal;
  }

  return async ({ item, owner, representations, exit, failedProfiles, onlyProfile }, signal) => {
    const strategy = onlyProfile === undefined ? {} : { strategy: onlyProfile };
    const query = { ...originQuery(item, platforms, sealer), exit, failedProfiles, ...strategy };
    const caller = callerOf(owner);
    const key = JSON.stringify([query.key, exit, failedProfiles.toSorted(), onlyProfile, isVisitor(caller)]);
    const extraction = await singleFlight.run(key, signal, (joined) => fetchSource(query, caller, joined));
    // Links are bound to the address that requested them. The ID can differ if the operator has changed the exits.
    const isBoundToExit = extraction.exit === exits.byId(exit).id;
    const content = isBoundToExit ? contentOf(item, extraction) : undefined;
    refuseIfBlocked(item, extraction, content);
    return {
      ...(extraction.profile === undefined ? {} : { profile: extraction.profile }),
      links: representations.map((representation) => linkTo(representation, content)),
    };
  };
}

/**
 * Returns the content item of an origin. Returns undefined if the post now has more or fewer items, because
 * representations of another item can have the same IDs.
 */
function contentOf(
  { content, contentCount = 1 }: ItemOrigin,
  { contents = [] }: SourceExtraction,
): SourceContent | undefined {
  return contents.length === contentCount ? contents[content] : undefined;
}

/** Returns the link to a representation in a content item. */
function linkTo({ repId, kind }: Representation, content: SourceContent | undefined): FreshLink | undefined {
  const media: readonly SourceMedia[] = [...(content?.videos ?? []), ...(content?.audios ?? [])];
  const match = media.find(({ item, stream }) => item.repId === repId && stream?.kind === kind);
  if (match?.stream === undefined) return undefined;
  const { ext, headers = {}, bytes, expiresAt } = match.stream;
  return {
    url: match.item.url,
    ext,
    headers,
    ...(bytes === undefined ? {} : { bytes }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
