import { type DocumentedOperation, pathOf } from '../contract.ts';
import { exchange } from './exchange.ts';
import { type Fault, judge } from './judge.ts';
import { bytesOf, commandOf, type FuzzRequest } from './request.ts';
import { createRequests, type Subject } from './requests.ts';

/** Longest answer of the service is the extraction API's: 25 seconds. A busy machine gets four times that. */
const HANG_MS = 100_000;
/** So many bytes of a body are read: files and relayed media are long. */
const ENOUGH_BYTES = 1024 * 1024;
/** A service that is gone fails every request: nobody reads more than the first findings. */
const MOST_FINDINGS = 50;

/** A run of the fuzzer. */
interface FuzzRun {
  readonly seed: number;
  /** Requests to send; numbers count from 1. */
  readonly numbers: Iterable<number>;
  /** Requests at once. */
  readonly lanes: number;
  /** Milliseconds after which an answer counts as a hang. */
  readonly timeout?: number;
}

/** A request whose answer must not happen. */
export interface Finding {
  readonly number: number;
  readonly fault: Fault;
  readonly why: string;
  /** A command line that sends the request again. */
  readonly command: string;
}

/** What came of a run. */
export interface FuzzReport {
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Responses by status; `none` where a damaged request got none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that did what they are for at least once. */
  readonly successfulOperations: ReadonlySet<DocumentedOperation>;
}

/** Sends generated requests to a service, and judges its answers. */
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

/** Findings as text, with what repeats each of them. */
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
