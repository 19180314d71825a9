import type { EndpointEntry, Takes } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { Answer, RecognisedLink } from '#client/index.ts';
import type { Question } from './question.ts';
import { client } from './service.ts';

/** A question with its answer. */
export interface Answered {
  readonly question: Question;
  readonly answer: Answer;
}

/**
 * Asks what a question leads to, with every quality that the page may offer. A channel that is named by its handle is
 * asked for by its id.
 *
 * @throws MillraceApiError, MillraceNetworkError.
 */
export async function ask(question: Question, signal: AbortSignal): Promise<Answered> {
  const { link } = question;
  if (link.missing !== undefined) {
    throw new Error('This link names a post, and not its channel, without which the platform does not show it.');
  }
  const answer = await client.askLink(link, formatsFor(link, 'all_highres'), { signal });
  const id = answer.metadata.channel?.channelId;
  if (link.endpoint !== 'channel/id-from-handle' || typeof id !== 'string') return { question, answer };
  const channel: RecognisedLink = { platform: 'p1', endpoint: 'channel/details', parameters: { channelId: id } };
  return ask({ ...question, link: channel }, signal);
}

/** Asks for one more quality than came with the answer. Errors as {@link ask}. */
export async function askForQuality({ link }: Question, label: string): Promise<Answer> {
  // p5 calls a quality hls-720 and takes its height.
  return client.askLink(link, formatsFor(link, link.platform === 'p5' ? label.replace(/^hls-/, '') : label));
}

/** Whether a quality of a link's media can be asked for by its name. */
export function canAskFor(link: RecognisedLink, label: string): boolean {
  const formats = formatsOf(link);
  return (
    typeof formats === 'object' && 'several' in formats && ('andOthers' in formats || formats.several.includes(label))
  );
}

function formatsFor(link: RecognisedLink, format: string): { renderableFormats?: readonly string[] } {
  return formatsOf(link) === undefined ? {} : { renderableFormats: [format] };
}

function formatsOf({ platform, endpoint }: RecognisedLink): Takes | undefined {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  return table[endpoint]?.takes.renderableFormats;
}
