import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';

/**
 * Where Debian installs Chromium (`apt-get install chromium-headless-shell`). The headless shell takes half of the
 * processor time.
 */
const binaries = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const binary = process.env.CHROMIUM ?? binaries.find(existsSync) ?? '/usr/bin/chromium';

/** Whether this machine has the browser for the tests of the page. */
export const hasBrowser = existsSync(binary);
if (!hasBrowser) {
  process.stderr.write(
    `\nTHE PAGE IS NOT TESTED: there is no ${binary}. Install chromium-headless-shell or chromium, or name one in CHROMIUM.\n\n`,
  );
}

/** Maximum milliseconds that a step of a test waits for the page. */
const TIMEOUT_MS = 30_000;

/** Starts a browser. */
export function openBrowser(): Promise<Browser> {
  // As root, Chromium needs --no-sandbox; it loads only the service under test. A machine without a graphics card needs
  // no GPU process.
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--in-process-gpu'];
  // Without a Unicode locale, Chromium saves a file whose name is not ASCII as `download`.
  return chromium.launch({ executablePath: binary, args, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

/** A visitor of the page. */
export interface Visit {
  readonly page: Page;
  /** Browser complaints: script errors, violations of the page's policy, and failed loads. */
  readonly complaints: readonly string[];
  /** Hosts that received a request, except the host of the store with the files of a service. */
  readonly hosts: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Opens the page as a new visitor. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, host, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== process.env.AWS_ENDPOINT_URL_S3) hosts.add(host);
  });
  await page.goto(url);
  return { page, complaints, hosts, close: () => context.close() };
}

/** Types into the page's field, and submits it. */
export async function submit(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Returns the page's only text field. */
export function field(page: Page): Locator {
  return page.getByLabel('Paste a link or an ID');
}

/** Submits a text, and waits until the heading of the result has the focus. */
export async function submitAndWait(page: Page, text: string): Promise<Locator> {
  await submit(page, text);
  const heading = page.locator('#result-title');
  await heading.waitFor();
  return heading;
}

/** Returns the link that downloads a finished render. */
export function waitForResult(page: Page): Locator {
  return page.getByRole('region', { name: 'Your files' }).getByRole('link', { name: /^Download/ });
}

/** Follows a download link, and reads the file. */
export async function download(page: Page, link: Locator): Promise<{ name: string; file: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: TIMEOUT_MS }), link.click()]);
  return { name: download.suggestedFilename(), file: await readFile(await download.path()) };
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Returns the accessibility faults that axe finds in the current state of the page (WCAG 2.2 A and AA, and best
 * practices).
 *
 * @param rules Names of the applied rules; default: all.
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // `axe` is a global of the page and not defined here. A page keeps it until it is reloaded.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axeFile, 'utf8'));
  // Of all other results, one node of each is enough.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  if (passes.length === 0) throw new Error(`axe found nothing that ${rules ?? 'its rules'} apply to`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Returns the number of pixels by which the page is wider than its viewport. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
