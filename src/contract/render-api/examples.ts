import { fileLink, receiptOf, statusLinks } from '../addresses.ts';
import type { BatchResponse } from '../batch.ts';
import { failureBody } from '../envelope.ts';
import { MillraceError } from '../errors.ts';
import type { JobDescription } from '../job.ts';
import { noFailure } from '../job-failure.ts';
import type {
  CacheResponse,
  RenderCancelResponse,
  RenderOutput,
  RenderStartResponse,
  RenderStatusEvent,
} from '../job-status.ts';
import type { RenderPreview } from '../render-preview.ts';
import { cancelledError } from '../shared-constants.ts';
import { sizeText } from '../size-text.ts';
import { pathOf, renderPaths } from './paths.ts';

/** The example job. Its inputs are files of the offline lab, so it can be started unchanged. */
export const exampleJob = {
  id: 'my-first-job-6b1f0c3e-9a57-4d28-8e41-c70d5f92ab16',
  inputs: [
    { url: 'https://cdn.lab.example/media/amber-30/video-720.mp4', ext: 'mp4' },
    { url: 'https://cdn.lab.example/media/amber-30/audio.mp4', ext: 'mp4' },
  ],
  output: { ext: 'mp4', downloadName: 'My film' },
  operation: { type: 'join_streams' },
} satisfies JobDescription;

/** An example response with its display name. */
interface Example<Value> {
  readonly summary: string;
  readonly value: Value;
}

/** Examples of a response by name. */
export type ExamplesOf<Value> = Readonly<Record<string, Example<Value>>>;

/** ID of the example request. */
export const exampleRequestId = '019a0b1c-5d2e-7f30-8a4b-6c7d8e9f0a1b';

const addresses = { render: 'https://render.example' };
const times = {
  request_id: exampleRequestId,
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-22T11:00:09.000Z',
};

const size = 5_242_880;
const url = fileLink(addresses, 'sealed-link', 'My film.mp4');
const output: RenderOutput = {
  url,
  size,
  sizeText: sizeText(size),
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  key: '0c7d3c1e-9a57-4d28-8e41-c70d5f92ab16',
  receipt: receiptOf(url),
  notes: [
    {
      code: 'subtitle_converted',
      message: 'The subrip subtitle (input 1, stream 2) was converted to mov_text, without its formatting.',
      input: 0,
    },
  ],
};

const done: RenderStatusEvent = {
  job_id: exampleJob.id,
  status: 'done',
  progress: 100,
  output,
  ...noFailure,
  ...times,
};

/** Examples of a job's status: done with its file, and failed. */
export const jobExamples = {
  done: { summary: 'Done, with a note', value: done },
  failed: {
    summary: 'Failed because of its second input',
    value: {
      ...done,
      status: 'failed',
      progress: 12,
      output: null,
      error:
        'Input 2: cdn.lab.example returned 403. The link has expired or access is denied; request new source links and start the job again.',
      error_code: 'source_refused',
      retryable: false,
      input: 1,
    },
  },
} satisfies ExamplesOf<RenderStatusEvent>;

const linksOf = (jobId: string) => ({ jobId, ...statusLinks(addresses, jobId) });
const laterId = 'my-second-job-2f6d1b80-4c3a-4e91-9d57-8a0be1c64f23';

const queued: RenderStartResponse = { ...linksOf(exampleJob.id), status: 'queued', message: 'The job was accepted.' };
const existing: RenderStartResponse = {
  ...linksOf(exampleJob.id),
  status: 'already_exists',
  message: 'The job is done; its file is ready.',
};

/** An example of a job that is new or was restarted. */
export const queuedExamples: ExamplesOf<RenderStartResponse> = { queued: { summary: 'Accepted', value: queued } };

/** Examples of a job that already exists, and of a preview. */
export const existingExamples: ExamplesOf<RenderStartResponse | RenderPreview> = {
  existing: { summary: 'Already done', value: existing },
  preview: {
    summary: 'A preview (plan=only)',
    value: {
      jobId: exampleJob.id,
      status: 'queued',
      message: queued.message,
      inputs: [
        { ext: 'mp4', size: 4_754_432, sizeIsExact: true, duration: null, ranges: true },
        { ext: 'mp4', size: 488_448, sizeIsExact: true, duration: null, ranges: true },
      ],
      operation: { type: 'join_streams', video: 'copy', audio: 'copy' },
      result: { ext: 'mp4', size: output.size, sizeText: output.sizeText, sizeAtMost: output.size, ttl: 3_600_000 },
      cost: { credits: 0 },
      unfinishedJobs: { now: 0, left: 20 },
      problems: [],
    },
  },
};

const cacheId = 'q3Zr0YkXw8Vb1TfHn6MdLg';

/** An example of a stored description. */
export const storedExamples: ExamplesOf<CacheResponse> = {
  stored: {
    summary: 'Stored',
    value: {
      cacheId,
      executionUrl: addresses.render + pathOf(renderPaths.startStoredJob, { cacheId }),
      statusUrl: queued.statusUrl,
      expiresAt: '2026-11-22T11:00:00.000Z',
    },
  },
};

/** Examples of a job that was cancelled, and of one that had finished before. */
export const cancelExamples: ExamplesOf<RenderCancelResponse> = {
  cancelled: {
    summary: 'Cancelled',
    value: {
      jobId: exampleJob.id,
      status: 'cancelled',
      message: 'The job was cancelled. Starting it again runs it from the beginning.',
      job: {
        ...done,
        status: 'failed',
        progress: 40,
        output: null,
        error: cancelledError,
        error_code: 'cancelled',
        retryable: false,
      },
    },
  },
  finished: {
    summary: 'Already finished',
    value: {
      jobId: exampleJob.id,
      status: 'already_finished',
      message: 'The job is already done; its file is ready.',
      job: done,
    },
  },
};

/** The error of a job whose description is not valid. */
export const refusedJob = new MillraceError(
  'invalid_body',
  'The job description is not valid: inputs.1.url must be an http or https URL.',
  { fields: [{ path: 'inputs.1.url', message: 'must be an http or https URL' }] },
);

/** An example batch of three jobs: one starts, one is already done, one is refused. */
export const batchExamples: ExamplesOf<BatchResponse> = {
  mixed: {
    summary: 'One starts, one is already done, one is refused',
    value: {
      results: [
        {
          statusCode: 202,
          body: { ...queued, ...linksOf(laterId) },
          output: null,
          ...noFailure,
        },
        {
          statusCode: 200,
          body: existing,
          output,
          ...noFailure,
        },
        {
          statusCode: 400,
          body: failureBody(refusedJob, exampleRequestId),
          output: null,
          error: refusedJob.message,
          error_code: 'invalid_body',
          retryable: false,
          input: 1,
        },
      ],
    },
  },
};
