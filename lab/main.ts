import { type Lab, startLab } from './lab.ts';

// `npm run lab`: runs the simulated internet as a separate process until SIGINT or SIGTERM.

try {
  const lab = await startLab(readSettings(process.env));
  // The handlers are installed before the ready line is printed, because the process that reads the line may stop the
  // lab immediately. They accept repeated signals: `millrace lab` sends SIGTERM after a Ctrl-C, and the terminal has
  // already sent SIGINT.
  const stop = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.resolve());
  process.stdout.write(`${JSON.stringify({ event: 'ready', port: lab.port, url: lab.url })}\n${welcome(lab)}`);
  await stop.promise;
  await lab.close();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

/**
 * Reads `LAB_PORT`, `LAB_CACHE`, `LAB_LATENCY` and `LAB_RECORDINGS`; empty variables count as unset.
 *
 * @throws Error naming the invalid variable.
 */
function readSettings(environment: NodeJS.ProcessEnv): Parameters<typeof startLab>[0] {
  const { LAB_PORT, LAB_CACHE, LAB_LATENCY, LAB_RECORDINGS } = environment;
  const port = Number(LAB_PORT || '9000');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`LAB_PORT is ${LAB_PORT}; it must be a port number, or 0 for any free port.`);
  }
  const latency = Number(LAB_LATENCY || '0');
  if (!Number.isInteger(latency) || latency < 0 || latency > 60_000) {
    throw new Error(`LAB_LATENCY is ${LAB_LATENCY}; it must be milliseconds from 0 to 60000.`);
  }
  return {
    port,
    cacheDirectory: LAB_CACHE || './data/lab',
    latency,
    ...(LAB_RECORDINGS ? { recordings: LAB_RECORDINGS } : {}),
  };
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
