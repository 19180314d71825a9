// Each program requests two formats of a video, renders the first, and checks the file against its digest. It writes
// what it found as JSON.

/** The part of both TypeScript programs that reads the result, with the types of the client. */
const readResult = `\
if (data === undefined) throw new Error(error.error.message);
if (data.error !== null) throw new Error(data.error.message);
const title: string | undefined = data.metadata.title;
const items = data.contents?.[0]?.renderableVideos ?? [];
const [item, ...others] = items.filter((each) => 'renderConfig' in each);
if (item === undefined) throw new Error('Nothing can be rendered.');

const order = new URL(item.renderConfig.executionUrl).searchParams.get('order')!;`;

/** A program with openapi-fetch and the types of openapi-typescript. */
export const openapiFetchProgram = `
import { createHash } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

const client = createClient<paths>({
  baseUrl: process.env.SERVICE!,
  headers: { 'X-Marketplace-Key': process.env.KEY!, 'X-Marketplace-Host': 'api.example' },
});

// Members with a default are optional.
const job: components['schemas']['JobDescription'] = {
  id: 'job-1',
  inputs: [{ url: 'https://example.com/a.mp4', ext: 'mp4', chunkDownload: { size: 300_000 } }],
  output: { ext: 'mp4', subtitles: [{ url: 'https://example.com/a.srt', format: 'srt' }] },
  operation: { type: 'no_process' },
};

// The code of a refused request is narrowed to those of its status.
const refused = await client.GET('/p1/v3/video/details', {
  params: { query: { videoId: 'lab-plain30', maxSize: '1' } },
});
if (refused.response.status !== 400 || refused.error === undefined) throw new Error('The request was not refused.');
const parameter: string | undefined = refused.error.error.parameter;
if (refused.error.error.code !== 'invalid_params' || parameter !== 'maxSize') throw new Error('Wrong refusal.');

// A response without an error is a result; a failed extraction has one, with status 200, too.
const missing = await client.GET('/p1/v3/video/details', { params: { query: { videoId: 'lab-missing' } } });
if (missing.data === undefined || missing.data.error === null) throw new Error('The video exists.');
const code: 'not_found' | string = missing.data.error.code;

const { data, error } = await client.GET('/p1/v3/video/details', {
  params: {
    query: {
      videoId: 'lab-plain30',
      renderableFormats: ['144p', '720p'],
      fields: ['contents.renderableVideos', 'metadata'],
    },
  },
});
${readResult}
const started = await client.GET('/api/v1/render/execute', { params: { query: { order } } });
if (started.data === undefined) throw new Error(started.error.error.message);
const params = { path: { jobId: started.data.jobId } };

const events = await client.GET('/api/v1/render/status/sse/{jobId}', { params, parseAs: 'text' });
if (events.data === undefined) throw new Error(events.error.error.message);
const status = await client.GET('/api/v1/render/jobs/{jobId}', { params });
if (status.data === undefined) throw new Error(status.error.error.message);
const { output } = status.data;
if (output === null) throw new Error(status.data.error ?? status.data.status);

const [, , link = '', name = ''] = new URL(output.url).pathname.split('/').map(decodeURIComponent);
const file = await client.GET('/files/{link}/{name}', { params: { path: { link, name } }, parseAs: 'arrayBuffer' });
if (file.data === undefined) throw new Error(file.error?.error.message);
const sha256 = createHash('sha256').update(new Uint8Array(file.data)).digest('base64');
const isProven = file.response.headers.get('Repr-Digest') === \`sha-256=:\${sha256}:\`;
console.log(JSON.stringify({
  formats: [item, ...others].map(({ label }) => label),
  title, code, size: output.size, received: file.data.byteLength, isProven, job: job.id,
}));
`;

/** A program with the client of Hey API. */
export const heyApiProgram = `
import { createHash } from 'node:crypto';
import { downloadFile, getJob, type JobDescription, p1VideoDetails, startSealedJob, watchJobEvents } from './client';
import { client } from './client/client.gen';

client.setConfig({ auth: ({ name }) => (name === 'X-Marketplace-Host' ? 'api.example' : process.env.KEY!) });

// Members with a default are optional.
const job: JobDescription = {
  id: 'job-1',
  inputs: [{ url: 'https://example.com/a.mp4', ext: 'mp4', chunkDownload: { size: 300_000 } }],
  output: { ext: 'mp4', subtitles: [{ url: 'https://example.com/a.srt', format: 'srt' }] },
  operation: { type: 'no_process' },
};

const refused = await p1VideoDetails({ query: { videoId: 'lab-plain30', maxSize: '1' } });
if (refused.response?.status !== 400 || refused.error === undefined) throw new Error('The request was not refused.');
const parameter: string | undefined = refused.error.error.parameter;
if (refused.error.error.code !== 'invalid_params' || parameter !== 'maxSize') throw new Error('Wrong refusal.');

const missing = await p1VideoDetails({ query: { videoId: 'lab-missing' } });
if (missing.data === undefined || missing.data.error === null) throw new Error('The video exists.');
const code: string = missing.data.error.code;

const { data, error } = await p1VideoDetails({
  query: {
    videoId: 'lab-plain30',
    renderableFormats: ['144p', '720p'],
    fields: ['contents.renderableVideos', 'metadata'],
  },
});
${readResult}
const started = await startSealedJob({ query: { order }, throwOnError: true });
const path = { jobId: started.data.jobId };

const { stream } = await watchJobEvents({ path });
const states: string[] = [];
for await (const event of stream) states.push(event.status);
const status = await getJob({ path, throwOnError: true });
const { output } = status.data;
if (output === null) throw new Error(status.data.error ?? states.join());

const [, , link = '', name = ''] = new URL(output.url).pathname.split('/').map(decodeURIComponent);
const file = await downloadFile({ path: { link, name }, throwOnError: true });
const bytes = new Uint8Array(await file.data.arrayBuffer());
const sha256 = createHash('sha256').update(bytes).digest('base64');
const isProven = file.response.headers.get('Repr-Digest') === \`sha-256=:\${sha256}:\`;
console.log(JSON.stringify({
  formats: [item, ...others].map(({ label }) => label),
  title, code, size: output.size, received: bytes.length, isProven, job: job.id,
}));
`;

/** A Perl program with the client class that OpenAPI::Client makes of a document. */
export const perlProgram = `
use strict; use warnings;
use Digest::SHA 'sha256_base64';
use Mojo::JSON 'encode_json';
use OpenAPI::Client;

my $client = OpenAPI::Client->new("$ENV{SERVICE}/openapi");
$client->on(after_build_tx => sub {
  my ($self, $tx) = @_;
  $tx->req->headers->header('X-Marketplace-Key' => $ENV{KEY});
  $tx->req->headers->header('X-Marketplace-Host' => 'api.example');
});

my $missing = $client->p1VideoDetails({videoId => 'lab-missing'})->result->json;
my $details = $client->p1VideoDetails({
  videoId => 'lab-plain30',
  renderableFormats => ['144p', '720p'],
  fields => ['contents.renderableVideos', 'metadata'],
})->result->json;
my $items = $details->{contents}[0]{renderableVideos};

my $order = Mojo::URL->new($items->[0]{renderConfig}{executionUrl})->query->param('order');
my $job = $client->startSealedJob({order => $order})->result->json;
my $path = {jobId => $job->{jobId}};
$client->watchJobEvents($path)->result;
my $output = $client->getJob($path)->result->json->{output};

my (undef, $link, $name) = @{Mojo::URL->new($output->{url})->path->parts};
my $file = $client->downloadFile({link => $link, name => $name})->result;
my $digest = 'sha-256=:' . sha256_base64($file->body) . '=:';
print encode_json({
  formats => [map { $_->{label} } @$items],
  code => $missing->{error}{code},
  size => $output->{size},
  received => length $file->body,
  isProven => $file->headers->header('Repr-Digest') eq $digest ? Mojo::JSON->true : Mojo::JSON->false,
});
`;
