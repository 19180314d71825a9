import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import { allowanceHeaders, LimitError } from '../accounts/limit-error.ts';
import type { Addresses } from '../contract/addresses.ts';
import { type ExtractionResult, errorBody } from '../contract/envelope.ts';
import { type ErrorCode, type MillraceError, toMillraceError } from '../contract/errors.ts';
import { hasLeft, untilGone } from '../http/disconnected.ts';
import type { Endpoint, Platform } from '../platforms/platform.ts';
import type { Sealer } from '../sealing/sealing.ts';
import type { Answers } from './answers.ts';
import { cacheHeaders, callersOwn, isSealed } from './cache-headers.ts';
import { charge, limitsOf, type Priced } from './charge.ts';
import type { Extracted } from './extract.ts';
import { keptAnswer } from './kept-answer.ts';
import type { ExtractionMetrics } from './metrics-port.ts';
import { type Asked, present } from './present.ts';
import { highestPrice, priceOf, priceOfFailure } from './prices.ts';
import type { Question } from './question.ts';
import type { Query } from './read-parameters.ts';
import { createRequestReader } from './read-request.ts';
import type { SourceHealth } from './source-health/source-health.ts';

/** What the extraction API needs. */
export interface ExtractionServices {
  /**
   * Who calls.
   *
   * @throws MillraceError for whoever may not.
   */
  readonly callerOf: (request: FastifyRequest) => Promise<Account>;
  readonly ledger: Ledger;
  readonly answers: Answers;
  readonly health: SourceHealth;
  readonly metrics: Pick<ExtractionMetrics, 'request' | 'credits'>;
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
}

const json = { 'content-type': 'application/json; charset=utf-8' } as const;

/** Adds one route for each endpoint of each platform. */
export function addExtractionRoutes(
  app: FastifyInstance,
  platforms: readonly Platform[],
  services: ExtractionServices,
): void {
  const { callerOf, ledger, metrics, sealer } = services;
  for (const platform of platforms) {
    for (const endpoint of platform.endpoints) {
      const read = createRequestReader(platform.id, endpoint, sealer);
      app.get<{ Querystring: Query }>(`/${platform.id}/v3${endpoint.path}`, async (request, reply) => {
        reply.headers(callersOwn);
        let code: ErrorCode | 'ok' = 'ok';
        try {
          const account = await callerOf(request);
          const { parameters, question, wanted } = read(request.url, request.query);
          const asked = { platform, endpoint, parameters, wanted, account };
          const fresh = wantsFresh(request);
          const kept = fresh ? undefined : services.answers.kept(question);
          if (kept !== undefined) {
            const { body, price, headers } = keptAnswer(kept, asked, services.health.note(platform.id), services);
            const allowance = await ledger.pay(account.id, limitsOf(account), price);
            metrics.credits(account.plan.name, price);
            return reply.headers({ ...headers, ...allowanceHeaders(allowance), ...json }).send(body);
          }
          const highest = highestPrice(endpoint, parameters);
          const waiting = { caller: untilGone(reply), fresh, log: request.log };
          const paid = await charge(ledger, account, highest, () => answer(asked, question, waiting, services));
          const { result, price, headers, allowance } = paid;
          code = paid.code;
          metrics.credits(account.plan.name, price);
          reply.headers({ ...headers, ...allowanceHeaders(allowance) });
          return result;
        } catch (thrown) {
          const error = toMillraceError(thrown);
          code = error.code;
          logFailure(request.log, thrown, error);
          if (error instanceof LimitError) reply.headers(allowanceHeaders(error.allowance));
          if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
          reply.code(error.status);
          return failure(endpoint, error);
        } finally {
          const labels = { platform: platform.id, endpoint: endpoint.path };
          metrics.request(labels, hasLeft(reply) ? 'caller_left' : code, reply.elapsedTime);
        }
      });
    }
  }
}

/** An answer as it is sent. */
interface Answered extends Priced {
  readonly code: ErrorCode | 'ok';
  readonly headers: Record<string, string>;
}

/** Who waits for an answer. */
interface Waiting {
  readonly caller: AbortSignal;
  /** Whether a kept answer will not do. */
  readonly fresh: boolean;
  readonly log: FastifyBaseLogger;
}

/** Gives the answer, and what it costs. What the source refuses is an answer, too. */
async function answer(
  asked: Asked,
  question: Question,
  { caller, fresh, log }: Waiting,
  services: ExtractionServices,
): Promise<Answered> {
  const { platform, endpoint, parameters } = asked;
  const note = () => services.health.note(platform.id);
  try {
    const found = await services.answers.find(question, caller, fresh);
    const result = present(withNote(found.extraction, note()), asked, services);
    const price = priceOf(endpoint, parameters, result.contents);
    const headers = cacheHeaders(found, isSealed(result, asked.account, services.addresses().base));
    return { result, price, code: 'ok', headers };
  } catch (thrown) {
    const error = toMillraceError(thrown);
    if (error.origin !== 'source') throw thrown;
    logFailure(log, thrown, error);
    const price = priceOfFailure(endpoint, parameters, error);
    return { result: failure(endpoint, error, note()), price, code: error.code, headers: {} };
  }
}

/** Whether the caller wants no kept answer (RFC 9111 §5.2.1.4). */
function wantsFresh({ headers }: FastifyRequest): boolean {
  return /(?:^|[\s,])no-cache(?:[\s,]|$)/i.test(headers['cache-control'] ?? '');
}

function withNote(extraction: Extracted, note: string | undefined): Extracted {
  return note === undefined ? extraction : { ...extraction, notes: [...(extraction.notes ?? []), note] };
}

/** What callers do wrong is theirs to mend, and there can be much of it. */
function logFailure(log: FastifyBaseLogger, thrown: unknown, { origin, code }: MillraceError): void {
  const level = origin === 'service' ? 'error' : origin === 'request' ? 'debug' : 'info';
  log[level]({ err: thrown, code }, 'extraction failed');
}

function failure(endpoint: Endpoint, error: MillraceError, note?: string): ExtractionResult {
  return {
    error: errorBody(error),
    ...(endpoint.contents ? { contents: [] } : {}),
    metadata: {},
    ...(note === undefined ? {} : { notes: [note] }),
  };
}
