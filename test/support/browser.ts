import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';

/**
 * Where Debian puts them (`apt-get install chromium-headless-shell`). The one without windows takes half of the
 * processor time.
 */
const binaries = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const binary = process.env.CHROMIUM ?? binaries.find(existsSync) ?? '/usr/bin/chromium';

/** Whether this machine has the browser that the page is tested in. */
export const hasBrowser = existsSync(binary);
if (!hasBrowser) {
  process.stderr.write(
    `\nTHE PAGE IS NOT TESTED: there is no ${binary}. Install chromium-headless-shell or chromium, or name one in CHROMIUM.\n\n`,
  );
}

/** Longest that a step of a test waits for the page. */
const TIMEOUT_MS = 30_000;

/** Starts a browser. */
export function openBrowser(): Promise<Browser> {
  // Chromium runs as root without its sandbox alone; it sees nothing here but the service under test. What draws needs no
  // process of its own: there is no graphics card.
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--in-process-gpu'];
  // Without a locale of Unicode, Chromium saves a file whose name is not ASCII as `download`.
  return chromium.launch({ executablePath: binary, args, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

/** Someone who looks at the page. */
export interface Visit {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, breaches of the page's policy, what could not be loaded. */
  readonly complaints: readonly string[];
  /** The hosts that were asked for anything; not that of the store which the files of a service are in. */
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

/** Types into the page's one field, and sends it. */
export async function submit(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The page's one field. */
export function field(page: Page): Locator {
  return page.getByLabel('A link, an id, or words');
}

/** Asks, and waits until the answer's heading has the focus. */
export async function submitAndWait(page: Page, text: string): Promise<Locator> {
  await submit(page, text);
  const heading = page.locator('#result-title');
  await heading.waitFor();
  return heading;
}

/** The link that downloads a finished render. */
export function waitForResult(page: Page): Locator {
  return page.getByRole('region', { name: 'Your files' }).getByRole('link', { name: /^Download/ });
}

/** Follows a link that saves a file, and reads the file. */
export async function download(page: Page, link: Locator): Promise<{ name: string; file: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: TIMEOUT_MS }), link.click()]);
  return { name: download.suggestedFilename(), file: await readFile(await download.path()) };
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What axe finds wrong with the page as it is shown now (WCAG 2.2 A and AA, and best practices).
 *
 * @param rules Names of the rules that are applied; default: all.
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const options = JSON.stringify(rules === undefined ? {} : { runOnly: rules });
  // The page's own `axe` is not known here.
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  if (passes.length === 0) throw new Error(`axe found nothing that ${rules ?? 'its rules'} apply to`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** How many pixels the page is wider than what is seen of it. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
