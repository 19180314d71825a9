import type { Config } from '../../config.ts';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { type Exit, openExits } from '../../egress/exits.ts';
import { direct, worldwide } from '../../egress/proxies/proxy-server.ts';
import { publicAddresses } from '../../platforms/index.ts';
import { type Check, type Finding, findingsOf, messageOf } from './finding.ts';

const { fine, note, wrong } = findingsOf('egress');

/** Addresses that no link may reach: this machine, and the metadata endpoint of clouds, which serves credentials. */
const forbiddenUrls = ['http://127.0.0.1:9/', 'http://169.254.169.254/'];

const TIMEOUT_MS = 10_000;

/**
 * Checks that every exit can reach the platforms, and that internal addresses are blocked. Any response at all shows
 * that a platform can be reached.
 */
export const checkEgress: Check = async (config, signal) => {
  const exits = openExits(config);
  const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(4 * TIMEOUT_MS)]);
  try {
    const countries = [
      direct,
      ...exits.countries,
      ...(config.EGRESS_PROXIES.some(({ country }) => country === undefined) ? [worldwide] : []),
    ];
    const candidates = [
      ...new Map(countries.flatMap((country) => exits.forCountry(country)).map((exit) => [exit.id, exit])).values(),
    ];
    const findings = await Promise.all(candidates.map((exit) => checkExit(exit, combinedSignal)));
    const jobs = config.RENDER_PROXY === undefined ? [] : [await checkExit(exits.forJobs, combinedSignal)];
    return [
      ...checkRedirects(config),
      ...findings.flat(),
      ...jobs.flat(),
      ...(await checkAddressGuard(exits.forJobs, config, combinedSignal)),
    ];
  } finally {
    await exits.close();
  }
};

function checkRedirects({ EGRESS_CONNECT_TO: rules }: Config): readonly Finding[] {
  if (rules.length === 0) return [];
  const targets = rules.map(({ pattern, origin }) => `${pattern} to ${origin.origin}`).join(', ');
  return [note(`EGRESS_CONNECT_TO sends ${targets}`, 'Unset it, unless this is a test or a demo.')];
}

async function checkExit(exit: Exit, signal: AbortSignal): Promise<readonly Finding[]> {
  const probes = await Promise.all(
    Object.entries(publicAddresses).map(async ([platform, url]) => {
      const call = { url, caller: serviceCaller, signal, followRedirects: false, headTimeout: TIMEOUT_MS };
      return await exit
        .exchange(call, () => undefined)
        .then(
          () => ({ platform, problem: undefined }),
          (error: unknown) => ({ platform, problem: messageOf(error) }),
        );
    }),
  );
  const failures = probes.filter(({ problem }) => problem !== undefined);
  const reachable = probes.filter(({ problem }) => problem === undefined).map(({ platform }) => platform);
  const name = exit.id === direct ? 'without a proxy' : `through ${exit.id}`;
  const [first] = failures;
  if (first === undefined) return [fine(`${name}: all platforms respond`)];
  const remedy =
    exit.id === direct
      ? 'Make sure that DNS works and that the firewall allows connections to port 443. EGRESS_PROXIES sets proxies.'
      : 'Make sure that the proxy is running, and that its address and credentials in EGRESS_PROXIES are correct.';
  if (reachable.length === 0) return [wrong(`${name}: no platform responds: ${first.problem}`, remedy)];
  const names = failures.map(({ platform }) => platform).join(', ');
  return [note(`${name}: ${reachable.join(', ')} respond, but not ${names}: ${first.problem}`, remedy)];
}

async function checkAddressGuard(exit: Exit, config: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  const guard = findingsOf('address guard');
  const open: string[] = [];
  for (const url of forbiddenUrls) {
    const refused = await exit
      .exchange({ url, caller: serviceCaller, signal, headTimeout: 2_000 }, () => undefined)
      .then(
        () => false,
        (error: unknown) => error instanceof MillraceError && error.code === 'address_refused',
      );
    if (!refused) open.push(validUrl(url).hostname);
  }
  if (open.length === 0) return [guard.fine('internal addresses are refused')];
  const summary = `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not blocked`;
  const remedy =
    config.EGRESS_ALLOW.length > 0
      ? 'Remove the range from EGRESS_ALLOW.'
      : 'This is a bug in Millrace. Please report it.';
  return [guard.wrong(summary, remedy)];
}
