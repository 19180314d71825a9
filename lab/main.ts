import { type Lab, type LabOptions, startLab } from './lab.ts';

// `npm run lab` and `LAB=on`: runs the simulated internet as a separate process until SIGINT or SIGTERM. If the process
// that started it has opened an IPC channel, it runs until that channel closes instead.

const stop = Promise.withResolvers<void>();
// Installed first, because that process may be killed while the lab starts.
process.on('disconnect', () => stop.resolve());
try {
  const lab = await startLab(readSettings(process.env));
  // The handlers are installed before the ready line is printed, because the process that reads the line may stop the
  // lab immediately. They accept repeated signals: `millrace lab` sends SIGTERM after a Ctrl-C, and the terminal has
  // already sent SIGINT.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A Ctrl-C in a terminal also reaches a service with LAB=on, which finishes jobs that still need the lab.
      if (!process.connected) stop.resolve();
    });
  }
  process.stdout.write(`${JSON.stringify({ event: 'ready', port: lab.port, url: lab.url })}\n${welcome(lab)}`);
  if (process.env.LAB_PREPARE === 'background') void prepare(lab);
  await stop.promise;
  await lab.close();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

/** Generates media while the lab serves requests, which generate what they need themselves if this fails. */
async function prepare(lab: Lab): Promise<void> {
  try {
    await lab.prepare();
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
  }
}

/**
 * Reads the settings of lab/README.md; empty variables count as unset.
 *
 * @throws Error naming the invalid variable.
 */
function readSettings(environment: NodeJS.ProcessEnv): LabOptions {
  const { LAB_CACHE, LAB_CACHE_LIMIT, LAB_CONTROL, LAB_PREPARE, LAB_RECORDINGS } = environment;
  return {
    port: wholeNumber(environment, 'LAB_PORT', '9000', 65_535, 'a port number, or 0 for any free port'),
    cacheDirectory: LAB_CACHE || './data/lab',
    latency: wholeNumber(environment, 'LAB_LATENCY', '0', 60_000, 'milliseconds from 0 to 60000'),
    prepare: LAB_PREPARE !== 'off' && LAB_PREPARE !== 'background',
    control: LAB_CONTROL !== 'off',
    ...(LAB_CACHE_LIMIT
      ? { cacheLimit: wholeNumber(environment, 'LAB_CACHE_LIMIT', '', Number.MAX_SAFE_INTEGER, 'a number of bytes') }
      : {}),
    ...(LAB_RECORDINGS ? { recordings: LAB_RECORDINGS } : {}),
  };
}

function wholeNumber(
  environment: NodeJS.ProcessEnv,
  name: string,
  fallback: string,
  max: number,
  requirement: string,
): number {
  const value = Number(environment[name] || fallback);
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new Error(`${name} is ${environment[name]}; it must be ${requirement}.`);
}

function welcome({ url, port, recordings: { count, identified } }: Lab): string {
  const recordings =
    count === 0
      ? 'none; set LAB_RECORDINGS to a folder of recordings'
      : `${count}, all at https://recordings.lab.example/, ${identified} of them also at their original address`;
  return `The lab simulates the outside internet. Connect the service to it with EGRESS_CONNECT_TO=*=${url}
  p1, simulated    https://www.youtube.com/watch?v=lab-plain30, and the other IDs in ${url}/_lab/catalogue
  p2, simulated    https://www.instagram.com/p/lab-reel-30/, and the other IDs in ${url}/_lab/catalogue
  p5, simulated    https://www.dailymotion.com/video/xlab30, and the other IDs in ${url}/_lab/catalogue
  CDN with faults  https://cdn.lab.example/media/amber-30/movie-720.mp4?throttle=100000
                   https://cdn.lab.example/hls/amber-30/master.m3u8?segment.latency=200
  journal          ${url}/_lab/requests?token=…
  recordings       ${recordings}
  proxy            http://fr:any@127.0.0.1:${port}, or socks5://…, places a client in France; any country code works, and the default is the US
lab/README.md describes everything else. Press Ctrl-C to stop the lab.
`;
}

/** Returns the messages of an error and of its causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
