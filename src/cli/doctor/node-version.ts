import { type Finding, findingsOf } from './finding.ts';

/** The oldest version of Node that everything works on. */
const MIN_NODE = 24;

/** Whether this Node can run everything that is here. */
export function isNodeNewEnough(): boolean {
  return Number(process.versions.node.split('.', 1)[0]) >= MIN_NODE;
}

/** What is said where it cannot. */
export const nodeAdvice =
  'Install Node 24 or later. In the source of Millrace, "npm ci" brings Node 26 along, and "npm start" and ' +
  '"npm run millrace" run on it.';

/** Whether this Node can run the service. */
export async function checkRuntime(): Promise<readonly Finding[]> {
  const { fine, wrong } = findingsOf('Node');
  const version = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (isNodeNewEnough()) return [fine(version)];
  return [wrong(`${version}; ${MIN_NODE} or later is needed`, nodeAdvice)];
}
