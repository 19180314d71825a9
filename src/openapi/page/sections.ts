import { errorAdvice } from '../../contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { sizeText } from '../../contract/job-status.ts';
import type { Plan } from '../../contract/subscription-plans.ts';
import type { ApiDocument, Response } from '../document-types.ts';
import { type Html, html, type Part, prose, section } from './html.ts';

/** How callers authenticate. */
export function authentication({ components }: ApiDocument): Html {
  const schemes = Object.values(components.securitySchemes ?? {}) as readonly {
    readonly name?: string;
    readonly description: string;
  }[];
  return section(
    'authentication',
    'Authentication',
    html`
<p>The endpoints of the platforms ask for both <code>X-Marketplace-…</code> headers, the calls of the direct
job API for a render key. Health, documents, execution URLs, status streams and files ask for none: their addresses
are the credential, to be kept private. The examples below read the keys from the environment:</p>
<pre tabindex="0"><code>export MILLRACE_KEY=… MILLRACE_HOST=… RENDER_KEY=…</code></pre>
<dl class="fields">${schemes.map(
      ({ name = 'Authorization: Bearer', description }) =>
        html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
    )}</dl>`,
  );
}

/** Conventions of all endpoints of the platforms. */
export const conventions = section(
  'conventions',
  'Conventions',
  html`
<ul>
<li>Every answer has the shape <a href="#shape-ExtractionResult">ExtractionResult</a>. Look at <code>error</code> first,
whatever the HTTP status is: what a platform refuses is told there with status 200.</li>
<li>Values are URL-encoded. Empty values count as absent, unknown parameters are passed over, a parameter that stands
twice is refused. In lists separated by commas duplicates are ignored.</li>
<li>Lists come in pages: send <code>nextToken</code> with the same parameters to get the next one, within 15 minutes. It
is null on the last page.</li>
<li>Links of media and renders are opaque and expire. A link that answers 403, 404 or 410 is replaced by asking
again.</li>
<li>HEAD is answered as GET without a body, and starts nothing. Browsers of any origin may call.</li>
<li>JSON is compressed with br or gzip where <code>Accept-Encoding</code> allows it.</li>
<li>Shapes may gain members: pass over those that you do not know.</li>
</ul>`,
);

/** The error codes, and what to do about each. */
export function errors({ components }: ApiDocument): Html {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code].origin !== 'job');
  return section(
    'errors',
    'Errors',
    html`
<p>An error has a <code>code</code>, a <code>message</code> for people, a <code>statusCode</code>, and
<code>retryable</code>: whether the same request can succeed later. Retry with growing delays. HTTP
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
<p>A render that cannot be finished ends with the status <code>failed</code>, and its <code>error</code> says in words
what happened and what to do. Starting it again restarts it.</p>`,
  );
}

/** A refusal of the extraction API; the render API has the same. */
function statusOf([name, response]: [string, unknown]): Part {
  const [, status] = /^Refused(\d+)$/.exec(name) ?? [];
  const { description = '' } = response as Response;
  return status === undefined ? undefined : html`<li><strong>${status}</strong> ${prose(description)}</li>`;
}

const count = (value: number): string => value.toLocaleString('en');

/** A row of the table of plans. */
const planRows = {
  renderableCount: ['Renderable formats a request', String],
  renderSize: ['Size of a rendered file', sizeText],
  availability: ['A rendered file stays', time],
  credits: ['Credits a month', count],
  requestsPerSecond: ['Requests a second', count],
  startsPerSecond: ['Job starts a second, direct job API', count],
  jobsAtOnce: ['Unfinished jobs at once, direct job API', count],
} as const satisfies Record<Exclude<keyof Plan, 'name'>, readonly [string, (value: number) => string]>;

/** The limits of plans and jobs. */
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
<li>A job lives for ${time(ttl.min)} to ${time(ttl.max)}; ${time(ttl.default)} where it does not say.</li>
<li>An input is fetched within ${time(timeout.min)} to ${time(timeout.max)}; ${time(timeout.default)} where it does not
say. One input, and all together, are ${sizeText(inputSize)} at most.</li>
<li>Chunks at once: ${chunkConcurrency.min} to ${chunkConcurrency.max}. A job description has ${bodySize / 1024} KiB at
most.</li>
<li>Give an extraction 60 seconds at least, and a render 10 minutes.</li>
</ul>`,
  );
}

function time(milliseconds: number): string {
  const [size, unit] =
    milliseconds >= 3_600_000 ? [3_600_000, 'hour'] : milliseconds >= 60_000 ? [60_000, 'minute'] : [1_000, 'second'];
  const count = milliseconds / Number(size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
