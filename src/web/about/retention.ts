import type { KeptData } from '../../contract/about.ts';
import { durationText } from './duration-text.ts';

/** How long the parts of a service keep their data, in milliseconds. */
export interface RetentionFacts {
  /** Lifetime of jobs and their files after each start. */
  readonly job: { readonly default: number; readonly max: number };
  /** Validity of execution URLs. */
  readonly executionUrl: number;
  /** Time within which a webhook is delivered. */
  readonly webhook: number;
  /** Lifetime of cached results of platforms; 0 if they are not cached. */
  readonly result: number;
  /** Lifetime of the results of platforms that could not be read; 0 if they are not kept. */
  readonly unread: number;
  /** Time for which requests for new links are counted. */
  readonly linkCounts: number;
  /** Time for which items whose media was refused are remembered. */
  readonly refusedMedia: number;
  /** Time for which jobs of visitors of the page are counted; 0 if the page is off. */
  readonly visitorStarts: number;
  /** Time for which credits of visitors of the page are kept. */
  readonly visitorCredits: number;
  /** Lifetime of entries of the audit log. */
  readonly auditLog: number;
  /** Whether the log names the address of each request. */
  readonly loggedAddresses: boolean;
  /** Whether the service sends timing data of requests to a collector of its operator. */
  readonly traces: boolean;
}

/** Describes what a service keeps and for how long. */
export function describeRetention(facts: RetentionFacts): readonly KeptData[] {
  const maxJob = durationText(facts.job.max);
  return [
    limited('Finished files', facts.job.max, [
      `Kept until their job expires: ${durationText(facts.job.default)} after its start, unless the caller chooses ` +
        `another time of up to ${maxJob}. Starting the job again extends the time.`,
    ]),
    limited('Jobs', facts.job.max, [
      'The state of the job, the name of its file and its receipt are deleted together with the file.',
      'The links and options of the job are encrypted, and deleted when the job expires at the latest.',
    ]),
    limited('Links of jobs that have not been started', facts.executionUrl, [
      'Kept only if they do not fit into a URL: encrypted, until the URL expires.',
      ...(facts.visitorStarts === 0
        ? []
        : [
            "Those of visitors of the page are kept with a keyed hash of the visitor's network, which limits their number.",
          ]),
    ]),
    limited('Addresses of webhooks of a job', facts.webhook + facts.job.max, [
      `Encrypted, until the event of the job has been delivered, or could not be delivered for ` +
        `${durationText(facts.webhook)} after the end of the job.`,
    ]),
    unlimited('Addresses of webhooks of a key', ['Encrypted, until the owner of the key deletes them.']),
    ...(facts.result === 0
      ? []
      : [limited('Results of platforms', facts.result, ['Kept in memory only, for other callers of the same item.'])]),
    ...(facts.unread === 0
      ? []
      : [
          limited('Responses of platforms that could not be read', facts.unread, [
            'Kept in memory only, without secrets, so that the operator can repair the service.',
          ]),
        ]),
    limited('Counts of replaced links', facts.linkCounts, ['Contain hashes of items, without names or links.']),
    limited('Items whose media was refused', facts.refusedMedia, ['Contain hashes of items, without names or links.']),
    ...(facts.visitorStarts === 0
      ? []
      : [
          limited('Jobs of visitors of the page', facts.visitorStarts, [
            "The IDs of the jobs that a visitor has started, with keyed hashes of the visitor's networks, which limit the jobs of each visitor.",
          ]),
          limited('Credits of visitors of the page', facts.visitorCredits, [
            "The credits that a visitor has used on a day, with keyed hashes of the visitor's networks.",
          ]),
        ]),
    unlimited('Keys', [
      'A hash of each key, its plan, and the credits that it used in each month. Kept until the operator deletes them.',
    ]),
    limited('Changes by administrators', facts.auditLog, [
      'Who changed which key, job, node or block, when and why. Entries contain no secrets.',
    ]),
    unlimited('Blocked items, channels and hosts', ['Kept with the reason until an administrator removes the block.']),
    unlimited('Network addresses', [
      'Counted in memory to limit requests, and never written to the database.',
      facts.loggedAddresses
        ? 'The log of the service names the address of each request.'
        : 'The log of the service names an address that opens too many connections.',
    ]),
    ...(facts.traces
      ? [unlimited('Timing data of requests', ['Sent to a system of the operator, who decides how long it is kept.'])]
      : []),
    unlimited('Your browser', [
      'The page keeps the list of your downloads, the theme and its own files in your browser only. You can delete them there.',
    ]),
  ];
}

function limited(data: string, ms: number, sentences: readonly string[]): KeptData {
  return { data, description: sentences.join(' '), maxSeconds: ms / 1_000 };
}

function unlimited(data: string, sentences: readonly string[]): KeptData {
  return { data, description: sentences.join(' ') };
}
