import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Locator,
  type Page,
} from 'playwright-core';

/**
 * Where Debian installs Chromium (`apt-get install chromium-headless-shell`). The headless shell takes half of the
 * processor time.
 */
const binaries = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const binary = process.env.CHROMIUM ?? binaries.find(existsSync) ?? '/usr/bin/chromium';

/** Whether this machine has the browser for the tests of the page. */
export const hasBrowser = existsSync(binary);
/** Maximum milliseconds that a step of a test waits for the page: it only ends what hangs. */
const TIMEOUT_MS = 120_000;

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
  /**
   * Ends the visit.
   *
   * @throws Error if a route of `page.route` matched no request: the test has not tested what it changed.
   */
  close(): Promise<void>;
}

/** The complaint about the registration that {@link visit} blocks. */
const blockedWorker = 'Service Worker registration blocked by Playwright';

/**
 * Opens the page as a new visitor. Its service worker is blocked by default: it would load all modules again for each
 * visit, and `page.route` does not see the requests of pages that have one.
 */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && message.text() !== blockedWorker) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, host, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== process.env.AWS_ENDPOINT_URL_S3) hosts.add(host);
  });
  const unmatchedRoutes = watchRoutes(page);
  await page.goto(url);
  return {
    page,
    complaints,
    hosts,
    async close() {
      await context.close();
      const [unmatched] = unmatchedRoutes;
      if (unmatched !== undefined) throw new Error(`no request of the page matched the route ${unmatched}`);
    },
  };
}

/** Returns the routes of a page that no request has matched yet. */
function watchRoutes(page: Page): ReadonlySet<string> {
  const unmatched = new Set<string>();
  const addRoute = page.route.bind(page);
  page.route = (url, handler, options) => {
    const name = String(url);
    unmatched.add(name);
    const watched: typeof handler = (route, request) => {
      unmatched.delete(name);
      return handler(route, request);
    };
    return addRoute(url, watched, options);
  };
  return unmatched;
}

/** Types into the page's field, and submits it. */
export async function submit(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Pastes a text into the page, while nothing has the focus. */
export async function paste(page: Page, text: string): Promise<void> {
  await field(page).waitFor();
  await page.evaluate(`{
    document.activeElement.blur();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }));
  }`);
}

/** Returns the page's only text field. */
export function field(page: Page): Locator {
  return page.getByLabel('Paste a link or an ID');
}

/** Submits a text, and waits until the heading of the result has the focus. */
export async function submitAndWait(page: Page, text: string): Promise<Locator> {
  await submit(page, text);
  await page.locator('#result-title:focus').waitFor();
  return page.locator('#result-title');
}

/** Returns the list of the renders of this browser. */
export function files(page: Page): Locator {
  return page.getByRole('region', { name: 'Your files' });
}

/** Gets what the page offers first, with one click. */
export async function getFirst(page: Page): Promise<void> {
  await page.locator('.leader.primary').click();
}

/** Gets a quality from the list of all. */
export async function getQuality(page: Page, label: string): Promise<void> {
  const all = page.locator('details', { hasText: 'All qualities and formats' });
  if ((await all.getAttribute('open')) === null) await all.locator('summary').click();
  await all.getByRole('button', { name: `Download ${label}`, exact: true }).click();
}

/** Returns the link that downloads a finished render. */
export function waitForResult(page: Page): Locator {
  return files(page).getByRole('link', { name: /^(?:Download|Save again)/ });
}

/** Follows a download link, and reads the file. */
export async function download(page: Page, link: Locator): Promise<{ name: string; file: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: TIMEOUT_MS }), link.click()]);
  return readDownload(download);
}

/** Reads a file that the browser has saved. */
export async function readDownload(download: Download): Promise<{ name: string; file: Buffer }> {
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
