import type { ErrorCode } from '../errors.ts';

/** A file or playlist of the lab, as an input of a direct job. */
interface TestMedia {
  readonly url: string;
  /** `ext` of the input. */
  readonly ext: string;
  readonly about: string;
  /** Error of a job that converts it to MP4. Absent if the job succeeds. */
  readonly error?: ErrorCode;
}

const host = 'https://cdn.lab.example';
const video = `${host}/media/amber-2/movie-360.mp4`;

/** The documented media of the lab. */
export const testMedia: readonly TestMedia[] = [
  {
    url: `${host}/media/amber-30/movie-720.mp4`,
    ext: 'mp4',
    about: 'a video of 30 s; `2` to `1500` are other durations',
  },
  { url: `${host}/media/amber-30/sound.m4a`, ext: 'm4a', about: 'its audio' },
  { url: `${host}/hls/amber-30/master.m3u8`, ext: 'm3u8', about: 'its HLS playlist' },
  { url: `${video}?cutOnce=1000`, ext: 'mp4', about: 'each connection breaks once, and the download resumes' },
  { url: `${video}?status=403`, ext: 'mp4', about: 'returns 403', error: 'source_refused' },
  { url: `${video}?html=1`, ext: 'mp4', about: 'a web page', error: 'source_refused' },
  { url: `${video}?status=503`, ext: 'mp4', about: 'returns 503', error: 'source_unreachable' },
  {
    url: `${video}?cut=1000`,
    ext: 'mp4',
    about: 'every connection breaks at the same byte',
    error: 'download_incomplete',
  },
  {
    url: `${video}?hang=1`,
    ext: 'mp4',
    about: 'never responds; the job fails after its `timeout`',
    error: 'download_timeout',
  },
  { url: `${video}?noRanges=1&length=1000000000000`, ext: 'mp4', about: 'has a terabyte', error: 'input_too_large' },
  { url: `${video}?instead=third`, ext: 'mp4', about: 'ends after its first third', error: 'input_incomplete' },
  { url: `${video}?instead=text`, ext: 'mp4', about: 'a text', error: 'input_unreadable' },
  { url: `${host}/media/amber-2/drm-360.mp4`, ext: 'mp4', about: 'encrypted', error: 'source_unsupported' },
  {
    url: `${video}?redirectTo=http://169.254.169.254/`,
    ext: 'mp4',
    about: 'redirects to an internal address',
    error: 'address_refused',
  },
];
