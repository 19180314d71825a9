import { type DocumentedOperation, pathOf } from '../contract.ts';
import { exchange } from './exchange.ts';
import { type Fault, judge } from './judge.ts';
import { bytesOf, commandOf, type FuzzRequest } from './request.ts';
import { createRequests, type Subject } from './requests.ts';

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
  const requestOf = createRequests(subject);
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const successfulOperations = new Set<DocumentedOperation>();
  let requests = 0;

  async function send(number: number): Promise<void> {
    const request = requestOf(seed, number);
    const { origin, contract } = subject;
    const halfClose = request.damaged !== undefined;
    const outcome = await exchange(origin, bytesOf(request), { timeout, halfClose, isEnough: isEnoughOf(request) });
    const verdict = judge(contract, request, outcome);
    const operation = contract.find(request.method, pathOf(request.target));
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(outcome.received.toString('latin1', 0, 20))?.[1] ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    requests += 1;
    if (operation !== undefined && /^[12]/.test(status)) successfulOperations.add(operation);
    if (verdict !== undefined) findings.push({ number, ...verdict, command: commandOf(request, origin) });
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
function isEnoughOf({ method }: FuzzRequest): (received: Buffer) => boolean {
  return (received) => {
    if (received.length > ENOUGH_BYTES) return true;
    const head = received.toString('latin1', 0, 2_000);
    if (head.startsWith('HTTP/1.1 101 ')) return head.includes('\r\n\r\n');
    if (method === 'HEAD' || !/content-type: text\/event-stream/i.test(head)) return false;
    const data = received.indexOf('data: ');
    return data >= 0 && received.includes('\n\n', data);
  };
}
