import { readFileSync } from 'node:fs';

const service = 'https://service.example';
const job = { jobId: 'job-1', message: 'The job was queued.' };
const links = {
  executionUrl: `${service}/api/v1/render/execute?order=sealed`,
  statusUrl: `wss://service.example/api/v1/render/status/job-1`,
  sseStatusUrl: `${service}/api/v1/render/status/sse/job-1`,
};
const metadata = { mime_type: 'video/mp4', width: 1280, height: 720, has_audio: true, content_length: 12, fps: 25 };
const item = { label: '720p', url: `${service}/relay/sealed`, repId: 'one', metadata };

/** The bytes of each file. */
export const fileBytes = 'twelve bytes';

const output = {
  url: `${service}/files/sealed/film.mp4`,
  size: fileBytes.length,
  sizeText: '12 B',
  sha256: null,
  key: 'key',
  receipt: `${service}/receipts/sealed`,
  notes: [{ code: 'segments_missing', message: 'A note.', input: 0 }],
};

const event = {
  job_id: 'job-1',
  status: 'done',
  progress: 100,
  output,
  error: null,
  error_code: null,
  retryable: null,
  input: null,
  request_id: 'r',
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
};

const failed = {
  ...event,
  status: 'failed',
  output: null,
  error: 'Input 1 is gone.',
  error_code: 'source_refused',
  retryable: false,
  input: 0,
};

/** Recorded responses of the endpoints, by their path (`npm run docs:examples`). */
const examples = JSON.parse(
  readFileSync(new URL('../../openapi/response-examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Record<string, unknown>>>;

/** A recorded response, with links that the fake service answers. */
function recorded(path: string): object {
  const { contents } = examples[path] ?? {};
  const own = Array.isArray(contents)
    ? {
        contents: [
          {
            videos: [item],
            images: [item],
            renderableVideos: [
              { label: '720p', renderConfig: links, repId: 'job-1', metadata },
              { label: '8k', error: 'Too large.' },
            ],
          },
        ],
      }
    : {};
  return { ...examples[path], ...own };
}

const details = recorded('/p1/v3/video/details');

/** A command, and the responses to its requests, in their order by the beginning of the path. Each of them is mutated. */
export interface HostileCase {
  readonly words: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const render = {
  '/api/v1/render/execute': { ...job, status: 'queued', ...links },
  '/api/v1/render/status/': event,
};
const list = (path: string) => ({ [path]: recorded(path) });

const preview = {
  ...job,
  status: 'queued',
  inputs: [{ ext: 'mp4', size: 5, clipSize: 3, sizeIsExact: true, duration: 4, ranges: true }],
  operation: { type: 'convert_format', video: 'copy', audio: 'encode' },
  result: { ext: 'mp4', size: 5, sizeText: '5 B', sizeAtMost: 6, ttl: 1_000 },
  cost: { credits: 0 },
  unfinishedJobs: { now: 0, left: 3 },
  problems: [{ code: 'input_too_large', message: 'Too large.', retryable: false, input: 0 }],
};

const transcript = {
  error: null,
  metadata: {
    transcript: {
      languages: ['en'],
      selectedLanguage: 'en',
      transcript: { language: 'en', kind: 'manual', segments: [{ startMs: 0, durationMs: 1_000, text: 'Hello.' }] },
    },
  },
};

const failure = {
  error: {
    message: 'Too many requests.',
    code: 'rate_limited',
    statusCode: 429,
    retryable: false,
    requestId: 'r',
    parameter: 'videoId',
    reason: 'The site says so.',
    allowedCountries: ['DE'],
    fields: [{ path: 'inputs.0', message: 'is wrong' }],
  },
  metadata: {},
};

/** Every command that reads responses of a service, with right responses. `out/` is its target. */
export const hostileCases: readonly HostileCase[] = [
  { words: ['info', 'lab-plain30'], responses: { '/p1/v3/video/details': details } },
  { words: ['info', 'lab-plain30', '--json'], responses: { '/p1/v3/video/details': details } },
  { words: ['info', 'https://www.tiktok.com/@thelab'], responses: { '/p4/v3/user': recorded('/p4/v3/user/details') } },
  {
    words: ['info', 'https://www.youtube.com/channel/UC85zAYFztyDQQgidr86JyUQ'],
    responses: list('/p1/v3/channel/details'),
  },
  { words: ['info', 'https://www.youtube.com/playlist?list=PLlab'], responses: list('/p1/v3/playlist') },
  { words: ['info', 'lab-plain30'], responses: { '/p1/v3/video/details': failure } },
  { words: ['search', 'bridges', '--limit', '3'], responses: list('/p1/v3/search') },
  { words: ['search', 'bridges', '--limit', '3', '--json'], responses: list('/p1/v3/search') },
  { words: ['transcript', 'lab-plain30', '--format', 'srt'], responses: { '/p1/v3/video/details': transcript } },
  { words: ['transcript', 'lab-plain30', '--list'], responses: { '/p1/v3/video/details': transcript } },
  { words: ['get', 'lab-plain30', '--list'], responses: { '/p1/v3/video/details': details } },
  {
    words: ['get', 'lab-plain30', '--dry-run', '--output', 'out/'],
    responses: { '/p1/v3/video/details': details, '/api/v1/render/execute': preview },
  },
  {
    words: ['get', 'lab-plain30', '--quality', '720p', '--output', 'out/'],
    responses: { '/p1/v3/video/details': details, ...render },
  },
  {
    words: [
      'get',
      'lab-plain30',
      '--write-info-json',
      '--nfo',
      '--write-cover',
      '--output',
      'out/{author}/{title}-{id}.{ext}',
    ],
    responses: { '/p1/v3/video/details': details, ...render },
  },
  {
    words: ['get', 'lab-plain30', '--receipt', '--json', '--output', 'out/'],
    responses: { '/p1/v3/video/details': details, ...render },
  },
  {
    words: ['get', 'https://www.instagram.com/p/lab-caromix/', '--output', 'out/'],
    responses: { '/p2/v3/media/post': recorded('/p2/v3/media/post/details'), ...render },
  },
  {
    words: ['get', 'https://www.youtube.com/playlist?list=PLlab', '--items', '1', '--output', 'out/'],
    responses: { ...list('/p1/v3/playlist'), '/p1/v3/video/details': details, ...render },
  },
  {
    words: ['get', 'lab-plain30', '--quality', '720p', '--output', 'out/'],
    responses: { '/p1/v3/video/details': details, ...render, '/api/v1/render/status/': failed },
  },
  { words: ['render', 'job.json', '--plan'], responses: { '/api/v1/render/execute': preview } },
  { words: ['render', 'job.json', '--output', 'out/'], responses: render },
  { words: ['render', 'job.json', '--wait'], responses: render },
  {
    words: ['render', 'job.json', '--wait', '--json'],
    responses: {
      ...render,
      '/api/v1/render/status/': {
        ...event,
        output: null,
        delivery: {
          status: 'failed',
          host: 'store.example',
          bytes: 12,
          attempts: 1,
          httpStatus: 403,
          etag: null,
          code: 'delivery_refused',
          message: 'Refused.',
          notes: output.notes,
        },
      },
    },
  },
  { words: ['watch', 'job-1'], responses: { '/api/v1/render/status/': event } },
  { words: ['watch', 'job-1', '--events'], responses: { '/api/v1/render/status/': failed } },
  {
    words: ['cancel', 'job-1'],
    responses: { '/api/v1/render/jobs/job-1': { ...job, status: 'cancelled', job: failed } },
  },
];

/** Address of the fake service. */
export const hostileService = service;
