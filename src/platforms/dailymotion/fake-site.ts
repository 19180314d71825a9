import type { ExtractionContext, SourceAnswer, SourceClient, SourceRequest } from '../platform.ts';

/** What a simulated site does with a request: an answer, or an error to throw. */
export type Reply = { readonly status?: number; readonly body: unknown } | Error;

/** A request as the simulated site saw it. */
export interface SeenRequest {
  readonly url: URL;
  readonly country: string | undefined;
  readonly headers: NonNullable<SourceRequest['headers']>;
}

/** The surroundings of an extraction against a simulated site, and what it was asked; for tests. */
export interface FakeSite {
  readonly context: ExtractionContext;
  readonly seen: readonly SeenRequest[];
}

/** Makes a site of a function; bodies that are no text are sent as JSON. */
export function fakeSite(
  reply: (request: SeenRequest) => Reply,
  { countries = [], signal = new AbortController().signal }: Partial<ExtractionContext> = {},
): FakeSite {
  const seen: SeenRequest[] = [];
  const client = (country?: string): SourceClient => ({
    ...(country === undefined ? {} : { country }),
    async get(url, { headers = {} } = {}): Promise<SourceAnswer> {
      const request = { url: new URL(url), country, headers };
      seen.push(request);
      const answer = reply(request);
      if (answer instanceof Error) throw answer;
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      return { status: answer.status ?? 200, headers: {}, url, text };
    },
  });
  return { context: { source: client(), countries, sourceIn: client, signal }, seen };
}
