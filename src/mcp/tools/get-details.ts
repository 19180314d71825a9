import Type, { type TSchema } from 'typebox';
import type { CollectionEntry } from '#client/collections/collection-entry.ts';
import { isCollection } from '#client/collections/entry-lists.ts';
import { MillraceCollectionError } from '#client/errors.ts';
import type { ExtractionResponse } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { countryCodeParameter, langParameter } from '../../contract/parameters.ts';
import { audioFormats } from '../../contract/render-parameters.ts';
import type { Platform } from '../../platforms/platform.ts';
import { argumentSchemas, argumentsOf } from '../argument-schemas.ts';
import { cutText, toolLimits } from '../limits.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { untrustedTextNote } from '../untrusted-text.ts';
import { endpointOf } from './endpoint.ts';
import { entrySchema, shortEntry } from './entry.ts';
import { linkArguments, targetOf } from './link.ts';
import { contentSchema, shortContent } from './quality.ts';
import { type Summary, summaryMembers, summaryOf } from './summary.ts';

/** The entries of a list. */
interface Entries {
  readonly entries: ReturnType<typeof shortEntry>[];
  readonly resume: string | null;
}

/** Creates the tool that describes what a link leads to. */
export function getDetailsTool(platforms: readonly Platform[]): Tool {
  return defineTool({
    name: 'get_details',
    title: 'Get details of a link',
    description:
      'Returns the title, author, description and qualities of a video or post, or the entries of a playlist, channel, ' +
      `search or profile. render makes the file of a quality, or its audio (${audioFormats.join(', ')}). Each call costs ` +
      `credits. ${untrustedTextNote}`,
    input: argumentsOf({
      ...linkArguments,
      ...argumentSchemas({ countryCode: countryCodeParameter, lang: langParameter }),
      resume: Type.Optional(
        Type.String({
          maxLength: 16_384,
          description: 'The resume of the previous result. Returns only the next entries.',
        }),
      ),
    }),
    output: Type.Object({
      platform: Type.String({ description: 'ID of the platform, such as p1.' }),
      ...summaryMembers,
      contents: Type.Optional(
        Type.Array(contentSchema, {
          maxItems: toolLimits.contents,
          description: 'The items of the post, in the order of the argument item of render.',
        }),
      ),
      entries: Type.Optional(Type.Array(entrySchema, { maxItems: toolLimits.entries })),
      resume: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Argument that requests the next entries. null after the last one.',
        }),
      ),
      notes: Type.Optional(Type.Array(Type.String(), { maxItems: toolLimits.notes })),
    }),
    readOnly: true,
    async run({ link, platform, resume, ...others }, context) {
      const target = targetOf({ link, platform });
      // The cast is safe: the arguments were checked against the schemas of the parameters.
      const parameters = others as Readonly<Record<string, string>>;
      if (resume !== undefined) {
        const list = context.client.collection(target, { resume, parameters, ...listOptions(context) });
        return { platform: target.platform, ...(await readEntries(list)) };
      }
      const response = await requestDetails(target, parameters, context);
      const { contents = [], notes = [] } = response;
      const formats = formatsOf(platforms, target);
      const short = fitting(contents.map((content) => shortContent(content, formats)));
      const { notes: listNotes, ...list } = await listOf(target, response, parameters, context);
      return {
        platform: target.platform,
        ...summaryOf(response.metadata),
        ...(short.length === 0 ? {} : { contents: short }),
        ...list,
        notes: [...omissionNotes(short.length, contents.length), ...listNotes, ...notes]
          .slice(0, toolLimits.notes)
          .map((note) => cutText(note, toolLimits.description)),
      } satisfies Summary & Readonly<Record<string, unknown>>;
    },
  });
}

/** Returns the first items of a post, as many as fit in a result. */
function fitting<Short>(contents: readonly Short[]): Short[] {
  let length = 0;
  return contents.slice(0, toolLimits.contents).filter((content) => {
    length += JSON.stringify(content).length;
    return length <= toolLimits.contentsLength;
  });
}

function omissionNotes(listed: number, total: number): readonly string[] {
  return listed === total ? [] : [`Only the first ${listed} of ${total} items are listed. render accepts all of them.`];
}

/**
 * Requests the target of a link. The response to a handle contains only the ID of its channel, which is requested too.
 */
async function requestDetails(
  target: RecognisedLink,
  parameters: Readonly<Record<string, string>>,
  { client, signal }: ToolContext,
): Promise<ExtractionResponse> {
  const response = await client.extractLink(target, parameters, { signal });
  const { channelId } = response.metadata.channel ?? {};
  if (target.endpoint !== 'channel/id-from-handle' || channelId === undefined) return response;
  return await client.p1.channel.details({ channelId, ...parameters }, { signal });
}

/** Returns the first entries if a link leads to a list, or a note if the platform does not list them. */
async function listOf(
  target: RecognisedLink,
  firstResponse: ExtractionResponse,
  parameters: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<Partial<Entries> & { readonly notes: readonly string[] }> {
  if (!isCollection(target)) return { notes: [] };
  const options = { parameters, firstResponse, ...listOptions(context) };
  try {
    return { ...(await readEntries(context.client.collection(target, options))), notes: [] };
  } catch (error) {
    if (!(error instanceof MillraceCollectionError) || error.fault !== 'not_listed') throw error;
    return { notes: [error.message] };
  }
}

function listOptions({ signal }: ToolContext) {
  return { signal, limit: toolLimits.entries };
}

async function readEntries(list: AsyncIterable<CollectionEntry>): Promise<Entries> {
  const read: CollectionEntry[] = [];
  for await (const entry of list) read.push(entry);
  const isFull = read.length === toolLimits.entries;
  return { entries: read.map(shortEntry), resume: (isFull ? read.at(-1)?.resumeToken : undefined) ?? null };
}

/** Returns the schema of the formats that the endpoint of a link can render. */
function formatsOf(platforms: readonly Platform[], { platform, endpoint }: RecognisedLink): TSchema | undefined {
  const { renderableFormats } = endpointOf(platforms, platform, endpoint).parameters.properties;
  return renderableFormats !== undefined && 'items' in renderableFormats
    ? (renderableFormats.items as TSchema)
    : undefined;
}
