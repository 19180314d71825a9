import { errorSchema } from '../src/contract/envelope.ts';
import { errorAdvice } from '../src/contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../src/contract/errors.ts';
import { jobFailureMembers } from '../src/contract/job-failure.ts';
import { outputNoteSchema } from '../src/contract/output-note-schema.ts';
import { noteCatalogue } from '../src/contract/output-notes.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** Returns the page that explains every error and what to do about it, generated from the catalogue. */
export function errorsPage(): string {
  return `<!-- Made by "npm run docs" from src/contract/errors.ts, error-advice.ts, job-failure.ts and output-notes.ts. -->

# Errors

Every error has one of the codes below and a message that states what failed, why, and what to do next. Codes are
stable; messages are for people and may change. An error has these members:

| Member | Meaning |
|---|---|
${members(errorSchema.properties)}

If a request body is not valid, the error also has \`fields\`, which lists each member at fault as
\`{"path":"inputs.0.url","message":"…"}\`.

Repeat retryable requests with increasing delays: 1, 2 and 4 seconds for extraction requests, 5, 15 and 45 seconds for
jobs. If the response has a \`Retry-After\` header, wait at least that long. The [client library](client.md) throws these
errors with the same members, and the [command line](cli.md#exit-codes) has an exit code for each kind.

## Refused requests

The request itself is at fault. The response has the HTTP status below. No request was sent to the platform, and the
request costs nothing.

${table('request')}

Some codes are also used with a second status:

- \`invalid_user_details\` with 403 if the key is known but has no access
- \`invalid_url\` with 403 if an execution or relay link was altered
- \`invalid_params\` with 414 if the URL is too long
- \`invalid_body\` with 415 if the body is not JSON

## Platform errors

The request was valid, but the platform did not return the requested content. The response has HTTP status 200, and the
status below is in \`error.statusCode\`. The cost of such requests is listed in
[prices](plans-and-credits.md#prices). For the service's own URLs, such as an unknown path or an expired
execution URL, the status is the HTTP status of the response.

If \`retryable\` of an error differs from this table, the error's own value takes precedence.

${table('source')}

## Internal errors

The service logs internal errors with their cause. Operators find more in [the guide to alerts](../how-to/respond-to-alerts.md).

${table('service')}

## Jobs that failed

A job that cannot be finished ends with the status \`failed\`. Its last event, its status as JSON, its webhook and the
result of a batch then have these members:

| Member | Meaning |
|---|---|
${members(jobFailureMembers)}

All four are null for a job that has not failed. If \`retryable\` of a job differs from the table below, the job's value
takes precedence. Starting the same \`id\` again restarts the job, whatever \`retryable\` says.

${jobTable()}

If a source cannot be reached, the job fails with a code from the tables above, such as \`connection_error\` or
\`address_refused\`. Internal errors have the code \`unexpected_error\`. A finished job changes to \`failed\` with the code
\`file_lost\` if its stored file is found missing or damaged. The status streams report an unknown job ID as \`not_found\`.
The log and the metric \`millrace_render_runs_total\` use the same codes.

## Notes

A finished file can differ from its inputs in ways that the job did not request. For example, some containers cannot
store every kind of stream, or chapters. \`output.notes\` of a finished job lists each difference. A note has these
members:

| Member | Meaning |
|---|---|
${members(outputNoteSchema.properties)}

${noteTable()}
`;
}

function members(schemas: object): string {
  return Object.entries<object>({ ...schemas })
    .map(([name, schema]) => row(`\`${name}\``, 'description' in schema ? String(schema.description) : ''))
    .join('\n');
}

function noteTable(): string {
  const rows = Object.entries(noteCatalogue).map(([code, meaning]) => row(`\`${code}\``, meaning));
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n');
}

type Origin = (typeof errorCatalogue)[ErrorCode]['origin'];

function table(origin: Origin): string {
  const rows = codesOf(origin).map((code) => {
    const { status, retryable } = errorCatalogue[code];
    const { meaning, action } = errorAdvice[code];
    return row(`\`${code}\``, String(status), yesNo(retryable), meaning, action);
  });
  return ['| Code | Status | Retryable | Meaning | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** Returns the table of job failures. They have no HTTP status. */
function jobTable(): string {
  const rows = codesOf('job').map((code) => {
    const { meaning, action } = errorAdvice[code];
    return row(`\`${code}\``, yesNo(errorCatalogue[code].retryable), meaning, action);
  });
  return ['| Code | Retryable | Meaning | What to do |', '|---|---|---|---|', ...rows].join('\n');
}

const codesOf = (origin: Origin) => codes.filter((code) => errorCatalogue[code].origin === origin);
const yesNo = (value: boolean) => (value ? 'yes' : 'no');
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
