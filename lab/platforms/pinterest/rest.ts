import { imageOf, signatureOf } from './addresses.ts';
import { avatars, nodeId, rolesOf, type User } from './people.ts';
import { boardOf, countsOf, createdText, domainOf, embedOf, linkOf } from './pin-details.ts';
import type { Pin } from './pins.ts';
import { images, items, type Json } from './rest-items.ts';

/** Returns a response of the JSON interface with a pin. */
export function resourceResponse(pin: Pin, fieldSet: string): Json {
  return {
    resource_response: {
      status: 'success',
      http_status: 200,
      code: 0,
      message: 'ok',
      endpoint_name: 'v3_get_pin',
      data: restPin(pin, fieldSet === 'detailed'),
    },
    ...surroundings(pin.id),
  };
}

/** Returns a response of the JSON interface without a pin. */
export function resourceRefusal(id: string, status: number, code: number, message: string): Json {
  return {
    resource_response: {
      status: 'failure',
      http_status: status,
      code,
      message,
      endpoint_name: 'v3_get_pin',
      data: null,
      error: { status: 'failure', http_status: status, code, message },
    },
    ...surroundings(id),
  };
}

/** Returns the common members of every response: the request, and the client's context. */
function surroundings(id: string): Json {
  return {
    client_context: { is_authenticated: false, language: 'en', locale: 'en-US', user: { ip_country: 'US' } },
    resource: { name: 'PinResource', options: { bookmarks: ['-end-'], id } },
    request_identifier: '1322000321276980',
  };
}

/** Returns a pin with the JSON interface's names. Only the larger set of fields contains the slots of a carousel. */
export function restPin(pin: Pin, withDetails: boolean): Json {
  const { id, title, description, cover, form } = pin;
  const counts = countsOf(pin);
  const { pinner, originPinner, nativeCreator } = rolesOf(pin);
  return {
    node_id: nodeId('Pin', id),
    id,
    type: 'pin',
    title,
    grid_title: title,
    description,
    closeup_unified_description: description,
    created_at: createdText(pin),
    link: linkOf(pin),
    domain: domainOf(pin),
    dominant_color: '#83796b',
    seo_alt_text: 'a picture of the lab',
    tracking_params: 'CwABAAAAEDEzMjIwMDAzMjEyNzY5ODA',
    pinner: user(pinner),
    origin_pinner: originPinner === undefined ? null : user(originPinner),
    native_creator: nativeCreator === undefined ? null : user(nativeCreator),
    board: board(pin),
    aggregated_pin_data: {
      node_id: nodeId('AggregatedPinData', pin.storyId),
      aggregated_stats: { saves: counts.saves },
      comment_count: counts.comments,
    },
    repin_count: counts.repins,
    share_count: counts.shares,
    reaction_counts: counts.reactions,
    is_promoted: false,
    is_hidden: pin.hidden ?? false,
    is_unsafe: pin.unsafe ?? false,
    ...(pin.withoutMedia || pin.deletedStory ? {} : pictures(pin)),
    embed: embedOf(pin, imageOf(pin, cover, 'orig').url),
    ...(form === 'carousel' && !withDetails ? {} : items(pin)),
  };
}

function pictures(pin: Pin): Json {
  if (pin.renamed) return { visuals: images(pin, pin.cover) };
  return { image_signature: signatureOf(pin, 0), images: images(pin, pin.cover) };
}

function user({ id, username, name, followers }: User): Json {
  return {
    node_id: nodeId('User', id),
    id,
    username,
    full_name: name,
    follower_count: followers,
    is_verified_merchant: false,
    verified_identity: {},
    image_small_url: avatars.small,
    image_medium_url: avatars.medium,
    image_large_url: avatars.large,
  };
}

function board(pin: Pin): Json {
  const { id, name, path, pins } = boardOf(pin);
  const { id: ownerId, username } = rolesOf(pin).pinner;
  return {
    node_id: nodeId('Board', id),
    type: 'board',
    id,
    name,
    url: path,
    pin_count: pins,
    owner: { node_id: nodeId('User', ownerId), id: ownerId, username },
  };
}
