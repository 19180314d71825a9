import Type from 'typebox';
import type { ProfileMediaState } from '../../media-health/media-health.ts';
import type { MediaTally } from '../../media-health/media-tally.ts';

/** Media fetches of a period, as in the body of `/status`. */
const fetchesSchema = Type.Object({
  arrived: Type.Integer({ description: 'All requested bytes arrived.' }),
  refused: Type.Integer({
    description:
      'The link had not expired, and no byte arrived. Further refusals of an item within an hour do not count.',
  }),
  cut: Type.Integer({
    description: 'The link had not expired, and was refused after at most about the first minute or MiB had arrived.',
  }),
  expired: Type.Integer({ description: 'The link had expired.' }),
  failed: Type.Integer({
    description: 'All other failures, such as a lost connection or a link that was refused later.',
  }),
});

/** How the media of a client profile arrives through an exit. */
export const mediaStatusSchema = Type.Object({
  profile: Type.String({ description: 'Client profile that returned the links; default if there is only one.' }),
  exit: Type.String({ description: 'ID of the exit, such as direct or fr-1.' }),
  country: Type.Optional(Type.String({ description: 'Country of the exit, if known.' })),
  state: Type.Enum(['ok', 'refused', 'cut'], {
    description:
      'refused, cut: fetches ended like this so often that it is no coincidence; it takes at least 4 different items. ' +
      'Other profiles are then tried first, until media arrives again in single trials. For cut, only fetches of at ' +
      'least 1.5 MiB count as arrived.',
  }),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Time of the first of these failures.' })),
  last15Minutes: fetchesSchema,
  last24Hours: fetchesSchema,
  lastRefusedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Time of the last fetch that was refused or cut.' }),
  ),
  lastStatus: Type.Optional(Type.Integer({ description: 'HTTP status of that fetch.' })),
  bytesUntilFailure: Type.Optional(Type.Integer({ description: 'Bytes that had arrived when it failed.' })),
});

/** How the media of a client profile arrives through an exit. */
export type MediaStatus = Type.Static<typeof mediaStatusSchema>;

/** Returns how the media of a client profile arrives, as in the body of `/status`. */
export function mediaStatusOf(state: ProfileMediaState): MediaStatus {
  const { profile, exit, country, refusals, recent, day, lastRefusal } = state;
  return {
    profile,
    exit,
    ...(country === undefined ? {} : { country }),
    state: refusals?.kind ?? 'ok',
    ...(refusals === undefined ? {} : { since: new Date(refusals.since).toISOString() }),
    last15Minutes: fetchesOf(recent),
    last24Hours: fetchesOf(day),
    ...(lastRefusal === undefined
      ? {}
      : {
          lastRefusedAt: new Date(lastRefusal.at).toISOString(),
          ...(lastRefusal.status === undefined ? {} : { lastStatus: lastRefusal.status }),
          bytesUntilFailure: lastRefusal.bytes,
        }),
  };
}

function fetchesOf({ arrivedLong: _arrivedLong, ...fetches }: MediaTally): MediaStatus['last15Minutes'] {
  return fetches;
}
