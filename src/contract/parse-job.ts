import { Compile } from 'typebox/compile';
import { clipFaults, normalizeClip } from './clip.ts';
import { type OutputContainer, outputContainers } from './containers.ts';
import { normalizeVideoShape } from './encoding.ts';
import type { FieldFault } from './errors.ts';
import {
  type Job,
  type JobDescription,
  type JobInput,
  type JobOperation,
  jobDescriptionSchema,
  jobLimits,
  operations,
} from './job.ts';
import { checkNormalizedSize } from './normalized-size.ts';
import { additionFaults, additionRequests, normalizeAdditions } from './output-additions.ts';
import { deliveryFaults, normalizeDelivery } from './output-delivery.ts';
import { processingFaults } from './processing-faults.ts';
import { bracketFaults, completeBrackets, defaultBrackets } from './progress-brackets.ts';
import { normalizeRequest, type RequestOptions, requestFaults } from './request-options.ts';
import { invalidBody, schemaFaults } from './schema-faults.ts';
import { urlFaults } from './url-faults.ts';
import { webhookFaults } from './webhook.ts';

const validator = Compile(jobDescriptionSchema);

/**
 * Checks a job description and fills in its defaults.
 *
 * @throws MillraceError `invalid_body` with every wrong member in `fields`; `body_too_large` if the job is too large with
 * its defaults.
 */
export function parseJob(body: unknown): Job {
  const shapeFaults = validator.Check(body) ? [] : schemaFaults(validator, body);
  if (shapeFaults.length > 0) throw invalidBody('job description', shapeFaults);
  // Check() above has verified the shape.
  const description = withPlainNames(body as JobDescription);
  const faults = [
    ...inputFaults(description),
    ...containerFaults(description),
    ...clipFaults(description.clip),
    ...additionFaults(description.output),
    ...additionRequests(description.output).flatMap(({ path, requestOptions }) =>
      requestFaults(`${path}.requestOptions`, requestOptions),
    ),
    ...deliveryFaults(description.output),
    ...processingFaults(description),
    ...bracketFaults(description.progressBrackets),
    ...webhookFaults(description.webhook),
  ];
  if (faults.length > 0) throw invalidBody('job description', faults);
  const job = normalize(description);
  checkNormalizedSize(job);
  return job;
}

/** Writes extensions in lower case and without a leading dot, and removes an empty name. */
function withPlainNames(description: JobDescription): JobDescription {
  const { downloadName, ...output } = description.output;
  return {
    ...description,
    inputs: description.inputs.map((input) => ({ ...input, ext: plainExtension(input.ext) })),
    output: {
      ...output,
      ext: plainExtension(output.ext),
      ...(downloadName === undefined || downloadName === '' ? {} : { downloadName }),
    },
  };
}

function plainExtension(ext: string): string {
  return ext.replace('.', '').toLowerCase();
}

function inputFaults({ inputs, operation, requestOptions }: JobDescription): FieldFault[] {
  const { minInputs, maxInputs } = operations[operation.type];
  const faults: FieldFault[] = [];
  if (inputs.length < minInputs || inputs.length > maxInputs) {
    const count = minInputs === maxInputs ? `exactly ${minInputs}` : `${minInputs} to ${maxInputs}`;
    const entries = maxInputs === 1 ? 'entry' : 'entries';
    faults.push({ path: 'inputs', message: `must have ${count} ${entries} for ${operation.type}` });
  }
  inputs.forEach((input, index) => {
    faults.push(...urlFaults(`inputs.${index}.url`, input.url));
    faults.push(...requestFaults(`inputs.${index}.requestOptions`, input.requestOptions));
    if (input.ext === 'm3u8' && operation.type === 'no_process') {
      faults.push({
        path: `inputs.${index}.ext`,
        message: 'cannot be m3u8 with no_process because a playlist is not a media file; use convert_format',
      });
    }
  });
  faults.push(...requestFaults('requestOptions', requestOptions));
  return faults;
}

/** Finds combinations of operation and container that cannot work with any input. */
function containerFaults({ inputs, operation, output }: JobDescription): FieldFault[] {
  if (operation.type === 'no_process') return [];
  if (!Object.hasOwn(outputContainers, output.ext)) {
    return [{ path: 'output.ext', message: `must be one of ${Object.keys(outputContainers).join(', ')}` }];
  }
  const container = outputContainers[output.ext as OutputContainer];
  if (!container.audioOnly) return [];
  if (operations[operation.type].makesVideo) {
    return [
      {
        path: 'output.ext',
        message: `cannot be ${output.ext} for ${operation.type} because this container cannot store video`,
      },
    ];
  }
  if (container.oneStream && operation.type === 'join_streams' && inputs.length > 1) {
    const message = `cannot be ${output.ext} for several inputs because this container can store only one audio stream`;
    return [{ path: 'output.ext', message }];
  }
  return [];
}

function normalize(description: JobDescription): Job {
  const { id, inputs, output, operation, clip, limits, progressBrackets, webhook } = description;
  const delivery = normalizeDelivery(output);
  const total = limits?.inputSize?.total ?? jobLimits.inputSize;
  const sharedRequest = normalizeRequest(description.requestOptions);
  return {
    id,
    inputs: inputs.map((input) => normalizeInput(input, description, sharedRequest)),
    output: {
      ext: output.ext,
      ...(output.downloadName === undefined ? {} : { downloadName: output.downloadName }),
      ...normalizeAdditions(output),
      ...(output.maxSize === undefined ? {} : { maxSize: output.maxSize }),
      ...(delivery === undefined ? {} : { delivery }),
    },
    operation: normalizeOperation(operation),
    ...(clip === undefined ? {} : { clip: normalizeClip(clip) }),
    ttl: description.ttl ?? jobLimits.ttl.default,
    brackets: progressBrackets === undefined ? defaultBrackets : completeBrackets(progressBrackets),
    inputSize: { perInput: Math.min(limits?.inputSize?.perInput ?? jobLimits.inputSize, total), total },
    ...(webhook === undefined ? {} : { webhook }),
  };
}

function normalizeOperation({ video, ...operation }: JobDescription['operation']): JobOperation {
  return {
    ...operation,
    copyStreams: operation.copyStreams ?? true,
    ...(video === undefined ? {} : { video: normalizeVideoShape(video) }),
  };
}

function normalizeInput(
  input: JobDescription['inputs'][number],
  job: JobDescription,
  sharedRequest: RequestOptions,
): JobInput {
  const chunks = { ...job.chunkDownload, ...input.chunkDownload };
  return {
    url: input.url,
    ext: input.ext,
    ...(input.language === undefined ? {} : { language: input.language }),
    request: input.requestOptions === undefined ? sharedRequest : normalizeRequest(input.requestOptions),
    chunks: {
      ...(chunks.size === undefined ? {} : { size: chunks.size }),
      concurrency: chunks.concurrency ?? jobLimits.chunkConcurrency.default,
      type: chunks.type ?? 'header',
    },
    hlsConcurrency:
      input.HLSPlaylistDownload?.concurrency ??
      job.HLSPlaylistDownload?.concurrency ??
      jobLimits.hlsConcurrency.default,
    timeout: input.timeout ?? job.timeout ?? jobLimits.timeout.default,
  };
}
