/** Error response of the site. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly error: Readonly<Record<string, unknown>> };
}

const manual = 'https://developer.dailymotion.com/api#error-codes';

/** Texts of the player's error codes, with their status. */
const playerErrors: Readonly<Record<string, readonly [status: number, title: string]>> = {
  DM001: [404, 'No video has been found at this address.'],
  DM002: [404, 'This video has been deleted.'],
  DM003: [200, 'This live has not started yet.'],
  DM004: [200, 'This video has been taken down after a copyright claim.'],
  DM005: [200, 'This video has been rejected.'],
  DM006: [200, 'This video is being published.'],
  DM007: [403, 'This video is not available in your country.'],
  DM008: [200, 'This video is hidden by the family filter.'],
  DM009: [200, 'This video may only be watched on the site itself.'],
  DM010: [403, 'This video is private.'],
  DM011: [200, 'This video could not be encoded.'],
  DM012: [200, 'This video is being encoded.'],
  DM013: [200, 'This video has no stream.'],
  DM014: [200, 'This video cannot be watched on this device.'],
  DM015: [200, 'This video is for the kids section.'],
  DM016: [200, 'This video cannot be embedded on this site.'],
  DM017: [200, 'This video needs another player.'],
  DM018: [200, 'This content is not available.'],
  DM019: [200, 'The channel of this video is inactive.'],
};

/** Returns the player's refusal of a video: a DM code, or `password_protected`. */
export function refusalOf(code: string): Refusal {
  if (code === 'password_protected') {
    return {
      status: 403,
      body: {
        error: {
          more_info: manual,
          code: '403',
          message: 'A password must be provided for this video',
          type: 'password_protected',
          error_data: { reason: 'video_password_protected' },
        },
      },
    };
  }
  const [status, title] = playerErrors[code] ?? [200, 'This video cannot be played.'];
  const message = `${title} Look for <a target="_top" href="/" class="highlight">another one</a>.`;
  return {
    status,
    body: {
      error: {
        title,
        message,
        raw_message: message.replaceAll(/<[^>]*>/g, ''),
        code,
        status_code: status === 200 ? 403 : status,
        refresh: 0,
      },
    },
  };
}

/** Returns the refusal for an ID that the site does not know. */
export function unknownVideo(id: string): Refusal {
  return {
    status: 404,
    body: {
      error: {
        more_info: manual,
        code: 404,
        message: `There is no video ${id}`,
        type: 'not_found',
        error_data: { reason: 'object_not_found', object_type: 'video', object_id: id, param: 'id' },
      },
    },
  };
}

/** Returns the REST error for a request that is not allowed or not understood. */
export function restRefusal(status: number, type: string, message: string): Refusal {
  return { status, body: { error: { more_info: manual, code: status, message, type } } };
}
