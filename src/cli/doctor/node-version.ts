import { type Finding, findingsOf } from './finding.ts';

/** The oldest supported version of Node. */
const MIN_NODE = 24;

/** Whether this Node is new enough for all commands. */
export function isNodeNewEnough(): boolean {
  return Number(process.versions.node.split('.', 1)[0]) >= MIN_NODE;
}

/** The advice for an outdated Node. */
export const nodeAdvice =
  'Install Node 24 or later, or run "npm ci" in a checkout of Millrace: it installs Node 26, which "npm start" and ' +
  '"npm run millrace" use.';

/** Checks whether this Node can run the service. */
export async function checkRuntime(): Promise<readonly Finding[]> {
  const { fine, wrong } = findingsOf('Node');
  const version = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (isNodeNewEnough()) return [fine(version)];
  return [wrong(`${version}; ${MIN_NODE} or later is required`, nodeAdvice)];
}
