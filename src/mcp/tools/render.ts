import Type from 'typebox';
import type { ExtractionResponse } from '#client/extraction.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import { MillraceError } from '../../contract/errors.ts';
import { renderStatusEventSchema } from '../../contract/job-status.ts';
import type { RenderableMediaItem } from '../../contract/media-items.ts';
import { countryCodeParameter, langParameter } from '../../contract/parameters.ts';
import { audioFormats, renderParameters } from '../../contract/render-parameters.ts';
import { argumentSchemas, argumentsOf } from '../argument-schemas.ts';
import { defineTool } from '../tool.ts';
import { startAndFollow, waitArgument } from './follow-job.ts';
import { linkArguments, targetOf } from './link.ts';

const { renderableAudios: _, ...fileParameters } = renderParameters;

const defaultFormat = 'highres';

/** The tool that renders a file from a link of a platform. */
export const renderTool = defineTool({
  name: 'render',
  title: 'Render a file',
  description:
    'Makes one file from a link: a video with sound, a part of it, or its audio. Returns the download link if the file ' +
    'is ready in time. Each call costs credits.',
  input: argumentsOf({
    ...linkArguments,
    format: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 30,
        description:
          'A format that get_details has returned; lowres, midres or highres; slideshow for a post with images; or audio: ' +
          `${audioFormats.join(', ')}.`,
        default: defaultFormat,
        examples: ['720p', 'mp3'],
      }),
    ),
    item: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'Number of the item of a post with several items. Default: the first with this format.',
      }),
    ),
    ...argumentSchemas({ ...fileParameters, countryCode: countryCodeParameter, lang: langParameter }),
    ...waitArgument,
  }),
  output: renderStatusEventSchema,
  readOnly: false,
  async run({ link, platform, format = defaultFormat, item, waitSeconds, ...parameters }, context) {
    const isAudio = audioFormats.some((name) => name === format);
    const response = await context.client.extractLink(
      targetOf({ link, platform }),
      // The cast is safe: the arguments were checked against the schemas of the parameters.
      {
        ...(parameters as Readonly<Record<string, string>>),
        [isAudio ? 'renderableAudios' : 'renderableFormats']: [format],
      },
      { signal: context.signal },
    );
    const kind = isAudio ? 'renderableAudios' : 'renderableVideos';
    return await startAndFollow(chooseRender(response, kind, format, item), waitSeconds, context);
  },
});

/**
 * Returns the execution URL of a file.
 *
 * @throws MillraceError `invalid_params` if there is no such file.
 */
function chooseRender(
  { contents = [] }: ExtractionResponse,
  kind: 'renderableVideos' | 'renderableAudios',
  format: string,
  item: number | undefined,
): string {
  const candidates = (item === undefined ? contents : contents.slice(item - 1, item)).flatMap((content) =>
    rendersOf(content, kind, format),
  );
  const ready = candidates.find(({ renderConfig }) => renderConfig !== undefined);
  if (ready?.renderConfig !== undefined) return ready.renderConfig.executionUrl;
  const [refused] = candidates;
  if (refused !== undefined) {
    throw new MillraceError(
      'invalid_params',
      refused.error ?? 'This format is not available. Call get_details to see which are.',
      {
        parameter: 'format',
      },
    );
  }
  const message =
    item !== undefined && item > contents.length
      ? `The link leads to ${contents.length} items. Use a lower item, or none.`
      : 'The link leads to nothing that can be rendered in this format. Call get_details to see what it leads to.';
  throw new MillraceError('invalid_params', message, { parameter: item === undefined ? 'format' : 'item' });
}

/** Returns the renders of one item. Some platforms return audio that was not requested as well. */
function rendersOf(
  content: ExtractedContent,
  kind: 'renderableVideos' | 'renderableAudios',
  format: string,
): readonly RenderableMediaItem[] {
  const items = content[kind] ?? [];
  return kind === 'renderableVideos' ? items : items.filter(({ label }) => label === format);
}
