import { errorSchema } from '../src/contract/envelope.ts';
import { errorAdvice } from '../src/contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../src/contract/errors.ts';
import { jobFailureMembers } from '../src/contract/job-failure.ts';
import { outputNoteSchema } from '../src/contract/output-note-schema.ts';
import { noteCatalogue } from '../src/contract/output-notes.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** The page that says of every error what it means and what to do, made from the catalogue. */
export function errorsPage(): string {
  return `<!-- Made by "npm run docs" from src/contract/errors.ts, error-advice.ts, job-failure.ts and output-notes.ts. -->

# Errors

Whatever goes wrong is told with a code of this list, and in a sentence that says what happened, to what, and what to
do. Codes are stable; sentences are for people and may change. An error has

| Member | |
|---|---|
${members(errorSchema.properties)}

and where a body is wrong, \`fields\`: each member at fault as \`{"path":"inputs.0.url","message":"…"}\`.

A request that is worth repeating is repeated with growing delays: 1, 2, 4 seconds for questions, 5, 15, 45 for jobs,
and never before \`Retry-After\` has passed, where an answer has that header. The [client library](client.md) throws these
errors with the same members, and the [command line](cli.md#for-scripts) ends with a number for each kind.

## Refused requests

The request itself is at fault. It is answered with this HTTP status, the platform was not asked, and it costs nothing.

${table('request')}

\`invalid_user_details\` is also answered with 403, where a key is known and may not ask; \`invalid_url\` with 403, where
an execution or relay link was altered; \`invalid_params\` with 414, where the address is too long; \`invalid_body\` with
415, where the body is no JSON.

## What the platform answered

The request was fine, and the platform did not give what was asked for. It is answered with HTTP status 200, and the
status is in \`error.statusCode\`. What it costs: [accounts.md](accounts.md#what-a-request-costs). Where it is about the
service's own links (a path that leads nowhere, an execution URL that has expired), it is the HTTP status itself.

${table('source')}

## Faults of the service

They are logged, with their cause; who runs it finds more in [operations.md](operations.md#alerts).

${table('service')}

## Jobs that failed

A job that cannot be finished ends with the status \`failed\`. Its last event, its status as JSON, its webhook and the
result of a batch then have:

| Member | |
|---|---|
${members(jobFailureMembers)}

All four are null for a job that has not failed. If its \`retryable\` differs from the table below, it takes
precedence. Starting the same \`id\` again restarts the job, whatever \`retryable\` says.

${jobTable()}

A source that cannot be connected to fails with a code from the tables above, such as \`connection_error\` or
\`address_refused\`, and a fault of the service with \`unexpected_error\`. A job that was done fails with \`file_lost\` if
its stored file is found missing or damaged. The status streams report an id that no job has
as \`not_found\`. The log and the metric \`millrace_render_runs_total\` have the same codes.

## Notes

A finished file can differ from its inputs in ways that the job did not ask for: a container may have no place for a
stream, or for chapters. \`output.notes\` of a job that is done lists each difference. A
note has:

| Member | |
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
  return ['| Code | What it means |', '|---|---|', ...rows].join('\n');
}

type Origin = (typeof errorCatalogue)[ErrorCode]['origin'];

function table(origin: Origin): string {
  const rows = codesOf(origin).map((code) => {
    const { status, retryable } = errorCatalogue[code];
    const { meaning, action } = errorAdvice[code];
    return row(`\`${code}\``, String(status), yesNo(retryable), meaning, action);
  });
  return ['| Code | Status | Retryable | What it means | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** Jobs have no HTTP status of their own. */
function jobTable(): string {
  const rows = codesOf('job').map((code) => {
    const { meaning, action } = errorAdvice[code];
    return row(`\`${code}\``, yesNo(errorCatalogue[code].retryable), meaning, action);
  });
  return ['| Code | Retryable | What it means | What to do |', '|---|---|---|---|', ...rows].join('\n');
}

const codesOf = (origin: Origin) => codes.filter((code) => errorCatalogue[code].origin === origin);
const yesNo = (value: boolean) => (value ? 'yes' : 'no');
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
