import Type from 'typebox';
import { type RecognisedLink, recogniseAll } from '#client/recognise-link.ts';
import { MillraceError } from '../../contract/errors.ts';
import * as platforms from '../../platforms/links.ts';
import { toolLimits } from '../limits.ts';

/** Arguments that name an item of a platform. */
export const linkArguments = {
  link: Type.String({
    minLength: 1,
    maxLength: toolLimits.link,
    description: 'Link to a video, post, playlist, channel or profile, a text that contains one, or an ID.',
    examples: ['https://www.youtube.com/watch?v=lab-plain30'],
  }),
  platform: Type.Optional(
    Type.Enum(
      Object.values(platforms)
        .map(({ id }) => id)
        .toSorted(),
      { description: 'Platform of an ID that several platforms could have. Not needed for links.' },
    ),
  ),
} as const;

/** The values of {@link linkArguments}. */
interface LinkArguments {
  readonly link: string;
  readonly platform?: string | undefined;
}

/**
 * Returns the target of a link or an ID.
 *
 * @throws MillraceError `invalid_url` or `params_not_found`
 */
export function targetOf({ link, platform }: LinkArguments): RecognisedLink {
  const target = recogniseAll(link).find((one) => platform === undefined || one.platform === platform);
  if (target === undefined) {
    throw new MillraceError(
      'invalid_url',
      'This is not a link or an ID of a supported platform. Send a complete link.',
      {
        parameter: 'link',
      },
    );
  }
  if (target.missing !== undefined) {
    throw new MillraceError(
      'params_not_found',
      `The link does not contain ${target.missing.join(', ')}, which the platform requires. Use a link that contains it.`,
      { parameter: 'link' },
    );
  }
  return target;
}
