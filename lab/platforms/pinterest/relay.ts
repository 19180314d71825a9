import { imageOf, signatureOf, sizes } from './addresses.ts';
import { avatars, nodeId, rolesOf, type User } from './people.ts';
import { boardOf, countsOf, createdText, domainOf, embedOf, linkOf } from './pin-details.ts';
import type { Pin } from './pins.ts';
import { briefPage, carouselOf, detailPage, relayVideo, storyOf, wholePage } from './relay-items.ts';
import type { Json } from './rest-items.ts';

/** Query of a page for its pin, with the response that the page contains. */
export interface RelayResponse {
  readonly name: 'CloseupPageQuery' | 'CloseupDetailQuery' | 'CloseupStoryPinQuery';
  readonly variables: Json;
  readonly root: Json;
}

/** Response for a pin that does not exist. */
export const notFoundRoot: Json = { __typename: 'PinNotFound', __isError: 'PinNotFound' };

/**
 * Returns the three partial responses for a pin. The first lacks the sizes of images and most names of people. The
 * second contains them. The third contains the story again with the playlists.
 */
export function relayResponses(pin: Pin): readonly RelayResponse[] {
  const pinId = pin.id;
  const root = (data: Json): Json => ({ __typename: 'V3GetPin', data });
  const isStory = pin.items.length > 0 && pin.form !== 'carousel';
  return [
    { name: 'CloseupPageQuery', variables: { isAuth: false, pinId }, root: root(pageData(pin)) },
    {
      name: 'CloseupDetailQuery',
      variables: { isAuth: false, isDesktop: true, isUnauth: true, pinId },
      root: root(detailData(pin)),
    },
    ...(isStory
      ? [{ name: 'CloseupStoryPinQuery', variables: { isDesktop: true, pinId }, root: root(storyData(pin)) } as const]
      : []),
  ];
}

function basics(pin: Pin): Json {
  return {
    id: nodeId('Pin', pin.id),
    entityId: pin.id,
    title: pin.title,
    gridTitle: pin.title,
    description: pin.description,
    closeupUnifiedDescription: pin.description,
    dominantColor: '#83796b',
    createdAt: createdText(pin),
    link: linkOf(pin),
    domain: domainOf(pin),
    embed: embedOf(pin, imageOf(pin, pin.cover, 'orig').url),
    isHidden: pin.hidden ?? false,
    isUnsafe: pin.unsafe ?? false,
    isPromoted: false,
    imageSignature: signatureOf(pin, 0),
    storyPinDataId: pin.form === 'carousel' || pin.items.length === 0 ? null : pin.storyId,
    shouldMute: false,
    musicAttributions: [],
    pinJoin: { visualAnnotation: ['Lab Pictures', 'Amber'], seoBreadcrumbs: [{ name: 'Art', url: '/ideas/art/1/' }] },
  };
}

function pageData(pin: Pin): Json {
  const { pinner, originPinner, nativeCreator } = rolesOf(pin);
  const { id, path } = boardOf(pin);
  const someone = ({ id: userId, username }: User) => ({ id: nodeId('User', userId), entityId: userId, username });
  const namedSizes = [...sizes, { name: '170x' }].filter(({ name }) => name !== '1200x');
  return {
    ...basics(pin),
    board: { id: nodeId('Board', id), entityId: id, url: path, isCollaborative: false },
    pinner: someone(pinner),
    originPinner: originPinner === undefined ? null : someone(originPinner),
    nativeCreator:
      nativeCreator === undefined ? null : { id: nodeId('User', nativeCreator.id), username: nativeCreator.username },
    closeupAttribution:
      nativeCreator === undefined ? null : { id: nodeId('User', nativeCreator.id), fullName: nativeCreator.name },
    aggregatedPinData: {
      id: nodeId('AggregatedPinData', pin.storyId),
      aggregatedStats: { saves: countsOf(pin).saves },
    },
    images: { url: imageOf(pin, pin.cover, 'orig').url },
    imageSpec_orig: { __typename: 'ImageDetails', url: imageOf(pin, pin.cover, 'orig').url },
    imageLargeUrl: imageOf(pin, pin.cover, '1200x').url,
    ...Object.fromEntries(namedSizes.map(({ name }) => [`imageSpec_${name}`, { url: imageOfSize(pin, name).url }])),
    imageSpec_236x: { ...imageOfSize(pin, '236x'), dominantColor: null, type: null },
    videos: null,
    storyPinData: storyOf(pin, briefPage),
  };
}

function detailData(pin: Pin): Json {
  const { pinner, originPinner, nativeCreator } = rolesOf(pin);
  const { id, name, path, pins } = boardOf(pin);
  const counts = countsOf(pin);
  const spec = (size: string) => [`imageSpec_${size}`, imageOfSize(pin, size)];
  return {
    ...basics(pin),
    board: { id: nodeId('Board', id), entityId: id, name, url: path, pinCount: pins, privacy: 'public' },
    pinner: user(pinner),
    originPinner: originPinner === undefined ? null : user(originPinner),
    nativeCreator: nativeCreator === undefined ? null : user(nativeCreator),
    closeupUnifiedAttribution:
      nativeCreator === undefined
        ? null
        : {
            __typename: 'User',
            id: nodeId('User', nativeCreator.id),
            entityId: nativeCreator.id,
            username: nativeCreator.username,
            fullName: nativeCreator.name,
            followerCount: nativeCreator.followers,
            imageMediumUrl: avatars.medium,
          },
    aggregatedPinData: {
      id: nodeId('AggregatedPinData', pin.storyId),
      aggregatedStats: { saves: counts.saves },
      commentCount: counts.comments,
      didItData: { imagesCount: 0 },
    },
    repinCount: counts.repins,
    shareCount: counts.shares,
    totalReactionCount: Object.values(counts.reactions).reduce((sum, one) => sum + one, 0),
    reactionCountsData: Object.entries(counts.reactions).map(([kind, reactionCount]) => ({
      reactionType: Number(kind),
      reactionCount,
    })),
    seoAltText: 'a picture of the lab',
    seoUrl: `/pin/${pin.id}/`,
    ...Object.fromEntries(['236x', '136x136', '736x'].map(spec)),
    imageSpec_orig: imageOf(pin, pin.cover, 'orig'),
    ...Object.fromEntries(['236x', '474x', '564x', '736x'].map((size) => [`image${size}`, imageOfSize(pin, size)])),
    videos: pin.form === 'video' ? relayVideo(pin, 0) : null,
    carouselData: carouselOf(pin),
    storyPinData: storyOf(pin, detailPage),
  };
}

function storyData(pin: Pin): Json {
  return {
    ...basics(pin),
    storyPinData: storyOf(pin, wholePage),
  };
}

function imageOfSize(pin: Pin, name: string): ReturnType<typeof imageOf> {
  return imageOf(pin, pin.cover, name === '170x' ? '236x' : name);
}

function user({ id, username, name, followers }: User): Json {
  return {
    id: nodeId('User', id),
    entityId: id,
    username,
    fullName: name,
    followerCount: followers,
    imageSmallUrl: avatars.small,
    imageMediumUrl: avatars.medium,
    imageLargeUrl: avatars.large,
    isVerifiedMerchant: false,
    verifiedIdentity: { verified: null },
  };
}
