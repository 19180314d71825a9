import { type ErrorCode, errorCatalogue } from '../src/contract/errors.ts';
import type { TestItem } from '../src/contract/test-items/test-item.ts';
import { testMedia } from '../src/contract/test-items/test-media.ts';
import { testItems } from '../src/contract/test-items.ts';
import { createPlatforms, defaultSettings } from '../src/platforms/index.ts';

/** How to cause the errors that depend on the request instead of the item. */
const causes: Partial<Record<ErrorCode, string>> = {
  params_not_found: 'Omit a required parameter.',
  invalid_params: 'Send a parameter with a value that is not allowed, such as `countryCode=nowhere`.',
  invalid_url: 'Change a character of an execution URL.',
  invalid_platform_url: 'Send a link to another platform.',
  invalid_token: 'Change a character of `nextToken`.',
  invalid_user_details: 'Send an unknown key in `X-Marketplace-Key`.',
  token_expired: 'Use an execution URL or a relay link after its time.',
  unsupported_proxy_for_geo_targeting: 'Send `countryCode=fr`. Test keys have no exits in particular countries.',
  unauthorized: 'Start a job without a render key.',
  forbidden: "Start a job with the ID of another key's job.",
  method_not_allowed: 'Send a request with a method that the path does not have.',
  conflict: 'Retry a job that has not failed.',
  expired: 'Download a file after its job has expired.',
  body_too_large: 'Send a job of more than 1 MB.',
  invalid_body: 'Send a job without `inputs`.',
  rate_limited: 'Send more requests per second than your plan includes.',
  incompatible_codecs: 'Convert an MP4 file to `webm` without `copyStreams` set to false.',
  clip_out_of_range: 'Start a clip after the end of the media.',
  size_unreachable: 'Convert two minutes of video with `copyStreams` set to false and `output.maxSize` set to 65536.',
  delivery_refused: 'Start a job with `output.keep` set to false and an `output.putUrl` that returns 403.',
  delivery_failed: 'Start a job with `output.keep` set to false and an `output.putUrl` that returns 503.',
  cancelled: 'Cancel a job.',
};

/** Errors that only the service or its operator can cause. */
const serviceErrors: readonly ErrorCode[] = [
  'unexpected_error',
  'other',
  'blocked',
  'quota_exceeded',
  'service_unavailable',
  'file_lost',
  'processing_failed',
  'processing_timeout',
  'result_unproven',
  'storage_failed',
  'at_capacity',
  'worker_lost',
];

/**
 * Returns the page that lists the test items of the lab and how to cause each error, made from the contract.
 *
 * @throws Error if it does not explain how to cause an error.
 */
export function testModePage(): string {
  const explained = new Set<string>([
    ...testItems.flatMap(({ error, renderError }) => [error, renderError].filter((code) => code !== undefined)),
    ...testMedia.flatMap(({ error }) => (error === undefined ? [] : [error])),
    ...Object.keys(causes),
    ...serviceErrors,
  ]);
  const missing = Object.keys(errorCatalogue).filter((code) => !explained.has(code));
  if (missing.length > 0) throw new Error(`scripts/test-mode-page.ts does not explain ${missing.join(', ')}`);
  return `<!-- Made by "npm run docs" from src/contract/test-items/ and scripts/test-mode-page.ts. -->

# Test mode

A test key works like any other key, but its requests go to the lab, a simulation of the platforms, and to no real site.
This page lists the items of the lab, for developers who test how their program handles each outcome.

The operator of a service with \`LAB=on\` [creates the keys](../how-to/manage-keys.md#create-a-test-key). Requests and
renders are free of charge. The rate limits of the plan apply.

## Try it

To try test mode with a service of your own, start it in one terminal, in the project folder:

    LAB=on ADMIN_PORT=8081 ADMIN_TOKEN=a-token-for-trying npm start

In a second terminal, create a test key, and run a [quick start](../quick-starts/README.md) with it. It renders the item
\`lab-plain30\`:

    ADMIN_PORT=8081 ADMIN_TOKEN=a-token-for-trying npm run --silent millrace -- keys create --plan PRO --test
    export MILLRACE_KEY=<the key>
    bash docs/quick-starts/quick-start.sh

Then request an item with another outcome. The response contains the error \`unavailable\`:

    curl -sS -H "X-Marketplace-Key: $MILLRACE_KEY" -H 'X-Marketplace-Host: localhost' \\
      'http://127.0.0.1:8080/p1/v3/video/details?videoId=lab-private'

## Items

Renders of the items succeed, except where the outcome names the error of a render. As for real items, parameters also
accept links.

${createPlatforms(defaultSettings)
  .map(({ id, title }) => platformSection(id, title))
  .join('\n\n')}

## Media for direct jobs

These URLs can be inputs of direct jobs. The outcome is that of a conversion to MP4.

| URL | \`ext\` | Media | Outcome |
|---|---|---|---|
${testMedia.map(({ url, ext, about, error }) => row(code(url), code(ext), about, error === undefined ? 'succeeds' : code(error))).join('\n')}

## Errors of requests and jobs

These errors depend on the request, not on the item:

| Error | How to cause it |
|---|---|
${Object.entries(causes)
  .map(([error, cause]) => row(code(error), cause))
  .join('\n')}

Test mode cannot cause the errors of the service and of its operator: ${serviceErrors.map(code).join(', ')}.
[Errors](errors.md) explains all of them.

## Resources of the lab

This section is for operators. With \`LAB=on\`, the lab runs beside the service, on a free port of 127.0.0.1:

| Resource | Limit |
|---|---|
| Memory | usually 80 MB, at most 256 MiB of heap; up to two processes of 220 MB while media is generated |
| Disk | about 1 GB in \`test-lab\` of the data folder; the least recently used files are deleted |
| CPU after the first start | 6 seconds at low priority, in which the media of YouTube and TikTok is generated; it takes 75 MB of the disk |

The generation ends about 10 s after the service has started. Until then, responses for items with many formats can lack
some of them. Later starts find the media on the disk. Other media is generated at the first download, which then takes
up to 5 s longer.
`;
}

function platformSection(platform: string, title: string): string {
  const items = testItems.filter((item) => item.platform === platform);
  const endpoints = Map.groupBy(items, ({ path, parameter }) => `${path}?${parameter}=`);
  return [`### ${title}`, ...[...endpoints].map(([endpoint, members]) => endpointTable(endpoint, members))].join(
    '\n\n',
  );
}

function endpointTable(endpoint: string, items: readonly TestItem[]): string {
  const note = items.some(({ isShared }) => isShared)
    ? '\n\nThe platform may have these too, so other keys get what the platform has.'
    : '';
  const rows = items.map((item) => row(code(item.value), item.about, outcomeOf(item)));
  return [`\`${endpoint}\`${note}\n`, '| Value | Item | Outcome |', '|---|---|---|', ...rows].join('\n');
}

function outcomeOf({ error, renderError }: TestItem): string {
  if (error !== undefined) return code(error);
  return renderError === undefined ? 'succeeds' : `succeeds; render: ${code(renderError)}`;
}

const code = (text: string) => `\`${text}\``;
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
