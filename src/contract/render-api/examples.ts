import { fileLink, receiptOf, statusLinks } from '../addresses.ts';
import type { BatchResponse } from '../batch.ts';
import type { JobDescription } from '../job.ts';
import { noFailure } from '../job-failure.ts';
import type { RenderOutput, RenderStatusEvent } from '../job-status.ts';

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
export interface Example<Value> {
  readonly summary: string;
  readonly value: Value;
}

const addresses = { render: 'https://render.example' };
const times = {
  request_id: '019a0b1c-5d2e-7f30-8a4b-6c7d8e9f0a1b',
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-22T11:00:09.000Z',
};

const url = fileLink(addresses, 'sealed-link', 'My film.mp4');
const output: RenderOutput = {
  url,
  size: 5_242_880,
  sizeText: '5.00 MB',
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

/** Examples of a job's status: done with its file, and failed. */
export const jobExamples: Readonly<Record<string, Example<RenderStatusEvent>>> = {
  done: {
    summary: 'Done, with a note',
    value: { job_id: exampleJob.id, status: 'done', progress: 100, output, ...noFailure, ...times },
  },
  failed: {
    summary: 'Failed because of its second input',
    value: {
      job_id: exampleJob.id,
      status: 'failed',
      progress: 12,
      output: null,
      error:
        'Input 2: cdn.lab.example returned 403. The link has expired or access is denied; request new source links and start the job again.',
      error_code: 'source_refused',
      retryable: false,
      input: 1,
      ...times,
    },
  },
};

const linksOf = (jobId: string) => ({ jobId, ...statusLinks(addresses, jobId) });
const laterId = 'my-second-job-2f6d1b80-4c3a-4e91-9d57-8a0be1c64f23';
const refusal = 'The job description is not valid: inputs.1.url must be an http or https URL.';

/** An example batch of three jobs: one starts, one is already done, one is refused. */
export const batchExamples: Readonly<Record<string, Example<BatchResponse>>> = {
  mixed: {
    summary: 'One starts, one is already done, one is refused',
    value: {
      results: [
        {
          statusCode: 202,
          body: { ...linksOf(laterId), status: 'queued', message: 'The job was accepted.' },
          output: null,
          ...noFailure,
        },
        {
          statusCode: 200,
          body: {
            ...linksOf(exampleJob.id),
            status: 'already_exists',
            message: 'The job is done; its file is ready.',
          },
          output,
          ...noFailure,
        },
        {
          statusCode: 400,
          body: { error: { message: refusal, code: 'invalid_body', statusCode: 400, retryable: false } },
          output: null,
          error: refusal,
          error_code: 'invalid_body',
          retryable: false,
          input: 1,
        },
      ],
    },
  },
};
