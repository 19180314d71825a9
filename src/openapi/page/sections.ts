import { errorAdvice } from '../../contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { sizeText } from '../../contract/job-status.ts';
import type { Plan } from '../../contract/subscription-plans.ts';
import { type Html, html, type Part } from '../../http/html.ts';
import type { ApiDocument, Response } from '../document-types.ts';
import { prose, section } from './html.ts';

/** Returns the section on authentication. */
export function authentication({ components }: ApiDocument): Html {
  const schemes = Object.values(components.securitySchemes ?? {}) as readonly {
    readonly name?: string;
    readonly description: string;
  }[];
  return section(
    'authentication',
    'Authentication',
    html`
<p>Platform endpoints require both <code>X-Marketplace-…</code> headers; the direct job API requires a render key. Health,
documents, execution URLs, status streams and files require no key. Execution URLs and the URLs of status streams and
files are credentials: keep them private. The examples below read the keys from the environment:</p>
<pre tabindex="0"><code>export MILLRACE_KEY=… MILLRACE_HOST=… RENDER_KEY=…</code></pre>
<dl class="fields">${schemes.map(
      ({ name = 'Authorization: Bearer', description }) =>
        html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
    )}</dl>`,
  );
}

/** Conventions of all platform endpoints. */
export const conventions = section(
  'conventions',
  'Conventions',
  html`
<ul>
<li>Every response follows the schema <a href="#shape-ExtractionResult">ExtractionResult</a>. Check <code>error</code>
first, whatever the HTTP status: refusals by a platform are reported there with status 200.</li>
<li>Values are URL-encoded. Empty values count as absent, unknown parameters are ignored, and repeated parameters are
rejected. Duplicates in comma-separated lists are ignored.</li>
<li>Lists are paginated: to get the next page, send <code>nextToken</code> with the same parameters within 15 minutes. It
is null on the last page.</li>
<li>Links to media and renders are opaque and expire. If a link returns 403, 404 or 410, repeat the request to get a new
one.</li>
<li>HEAD returns the response of GET without its body, and starts nothing. Browsers may send requests from any
origin.</li>
<li>JSON is compressed with br or gzip if <code>Accept-Encoding</code> allows it.</li>
<li>New members may be added to any schema: ignore those that you do not know.</li>
</ul>`,
);

/** Returns the section on errors: the codes, and what to do about each. */
export function errors({ components }: ApiDocument): Html {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code].origin !== 'job');
  return section(
    'errors',
    'Errors',
    html`
<p>An error has a <code>code</code>, a <code>message</code> for people, a <code>statusCode</code>, and
<code>retryable</code>: whether the same request can succeed later. Retry with exponential backoff. HTTP
statuses other than 200:</p>
<ul>${Object.entries(components.responses ?? {}).map(statusOf)}</ul>
<dl class="fields">${codes.map((code) => {
      const { status, retryable, origin } = errorCatalogue[code];
      const { meaning, action } = errorAdvice[code];
      const marks = `${status}${retryable ? ', retryable' : ''}`;
      const note = origin === 'source' ? html` <span class="type">HTTP status 200</span>` : undefined;
      return html`<div><dt id="error-${code}"><code>${code}</code> <em>${marks}</em></dt>
<dd>${prose(meaning)} ${prose(action)}${note}</dd></div>`;
    })}</dl>
<p>A render that cannot be finished ends with the status <code>failed</code>. Its <code>error</code> states what failed
and what to do. Starting the job again restarts it.</p>`,
  );
}

/** Describes a refusal of the extraction API. The render API has the same ones. */
function statusOf([name, response]: [string, unknown]): Part {
  const [, status] = /^Refused(\d+)$/.exec(name) ?? [];
  const { description = '' } = response as Response;
  return status === undefined ? undefined : html`<li><strong>${status}</strong> ${prose(description)}</li>`;
}

const count = (value: number): string => value.toLocaleString('en');

/** The rows of the plan table. */
const planRows = {
  renderableCount: ['Renderable formats per request', String],
  renderSize: ['Size of a rendered file', sizeText],
  availability: ['Availability of a rendered file', time],
  credits: ['Credits per month', count],
  requestsPerSecond: ['Requests per second', count],
  startsPerSecond: ['Job starts per second, direct job API', count],
  jobsAtOnce: ['Unfinished jobs, direct job API', count],
} as const satisfies Record<Exclude<keyof Plan, 'name'>, readonly [string, (value: number) => string]>;

/** Returns the section on the limits of plans and jobs. */
export function limits(plans: readonly Plan[]): Html {
  const rows = Object.entries(planRows) as [keyof typeof planRows, readonly [string, (value: number) => string]][];
  const { ttl, timeout, inputSize, chunkConcurrency, bodySize } = jobLimits;
  return section(
    'limits',
    'Limits',
    html`
<div class="scroll" tabindex="0" role="region" aria-label="Limits of the plans">
<table><thead><tr><th scope="col">Plan</th>${plans.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
      ([name, [title, text]]) =>
        html`<tr><th scope="row">${title}</th>${plans.map((plan) => html`<td>${text(plan[name])}</td>`)}</tr>`,
    )}</tbody></table></div>
<ul>
<li>A job is kept for ${time(ttl.min)} to ${time(ttl.max)}; the default is ${time(ttl.default)}.</li>
<li>The download timeout of an input is ${time(timeout.min)} to ${time(timeout.max)}; the default is
${time(timeout.default)}. The maximum size of one input, and of all inputs together, is ${sizeText(inputSize)}.</li>
<li>Concurrent chunks: ${chunkConcurrency.min} to ${chunkConcurrency.max}. Maximum size of a job description:
${bodySize / 1024} KiB.</li>
<li>Use a client timeout of at least 60 seconds for an extraction, and of 10 minutes for a render.</li>
</ul>`,
  );
}

function time(milliseconds: number): string {
  const [size, unit] =
    milliseconds >= 3_600_000 ? [3_600_000, 'hour'] : milliseconds >= 60_000 ? [60_000, 'minute'] : [1_000, 'second'];
  const count = milliseconds / Number(size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
