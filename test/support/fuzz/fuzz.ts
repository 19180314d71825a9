import { type DocumentedOperation, pathOf } from '../contract.ts';
import type { Conversation } from './conversations.ts';
import { exchange } from './exchange.ts';
import type { Fault } from './judge.ts';
import { judgeConversation } from './judge-conversation.ts';
import { commandOf, type FuzzRequest } from './request.ts';
import { createConversations, type Subject } from './requests.ts';

/** The longest response of the service is the extraction API's: 25 seconds. A busy machine gets four times that. */
const HANG_MS = 100_000;
/** Maximum bytes read of a body: files and relayed media are long. */
const ENOUGH_BYTES = 1024 * 1024;
/** A crashed service fails every request: only the first findings are useful. */
const MOST_FINDINGS = 50;

/** A run of the fuzzer. */
interface FuzzRun {
  readonly seed: number;
  /** Requests to send; numbers count from 1. */
  readonly numbers: Iterable<number>;
  /** Number of concurrent requests. */
  readonly lanes: number;
  /** Milliseconds after which a response counts as a hang. */
  readonly timeout?: number;
}

/** A request with an unacceptable response. */
export interface Finding {
  readonly number: number;
  readonly fault: Fault;
  readonly why: string;
  /** A command line that sends the request again. */
  readonly command: string;
}

/** Result of a run. */
export interface FuzzReport {
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Responses by status; `none` if a damaged request got none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that succeeded at least once. */
  readonly successfulOperations: ReadonlySet<DocumentedOperation>;
}

/** Sends generated requests to a service, and judges its responses. */
export async function fuzz(
  subject: Subject,
  { seed, numbers, lanes, timeout = HANG_MS }: FuzzRun,
): Promise<FuzzReport> {
  const conversationOf = createConversations(subject);
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const successfulOperations = new Set<DocumentedOperation>();
  let requests = 0;

  async function send(number: number): Promise<void> {
    const conversation = conversationOf(seed, number);
    const { requests: sent, pieces, halfClose } = conversation;
    const { origin, contract } = subject;
    const outcome = await exchange(origin, pieces, { timeout, halfClose, isEnough: isEnoughOf(conversation) });
    const verdict = judgeConversation(contract, conversation, outcome);
    requests += sent.length;
    const [request] = sent;
    if (request === undefined) return;
    const operation = contract.find(request.method, pathOf(request.target));
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(outcome.received.toString('latin1', 0, 20))?.[1] ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (operation !== undefined && /^[12]/.test(status)) successfulOperations.add(operation);
    if (verdict !== undefined) findings.push({ number, ...verdict, command: commandOf(whole(conversation), origin) });
  }

  const rest = numbers[Symbol.iterator]();
  async function lane(): Promise<void> {
    for (let next = rest.next(); next.done !== true && findings.length < MOST_FINDINGS; next = rest.next()) {
      await send(next.value);
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  findings.sort((one, other) => one.number - other.number);
  return { requests, findings, statuses, successfulOperations };
}

/** Formats findings as text, with the commands that reproduce them. */
export function describeFindings({ findings }: FuzzReport, seed: number): string {
  return findings
    .map(({ number, fault, why, command }) =>
      [`request ${number} of seed ${seed}: ${fault}`, why, `FUZZ_SEED=${seed} FUZZ_ONLY=${number}, or`, command].join(
        '\n',
      ),
    )
    .join('\n\n');
}

/** A stream of events and a WebSocket stay open as long as their job runs: the first event is enough. */
function isEnoughOf({ requests }: Conversation): (received: Buffer) => boolean {
  const [request] = requests;
  return (received) => {
    if (received.length > ENOUGH_BYTES) return true;
    const head = received.toString('latin1', 0, 2_000);
    const upgraded = received.indexOf('HTTP/1.1 101 ');
    if (upgraded >= 0) return received.includes('\r\n\r\n', upgraded);
    if (requests.length > 1 || request?.method === 'HEAD' || !/content-type: text\/event-stream/i.test(head))
      return false;
    const data = received.indexOf('data: ');
    return data >= 0 && received.includes('\n\n', data);
  };
}

/** Returns a request whose bytes are all those of a conversation. */
function whole({ requests, pieces, halfClose }: Conversation): FuzzRequest {
  const [first = { method: 'GET', target: '/', headers: [], body: Buffer.alloc(0) }] = requests;
  if (requests.length === 1 && !halfClose) return first;
  return { ...first, damaged: Buffer.concat(pieces.map(({ bytes }) => bytes)) };
}
