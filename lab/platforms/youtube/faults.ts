import {
  deeplyNested,
  down,
  empty,
  faultWithin,
  respondsWith,
  type SiteFault,
  type SiteFaults,
  sends,
  sendsHuge,
  silent,
  throttle,
} from '../site-faults.ts';

const json = { 'content-type': 'application/json; charset=UTF-8' };
const page =
  '<!DOCTYPE html><html><head><title>Before you continue</title></head><body>Before you continue</body></html>';
const deep = () => Buffer.from(`{"contents":${deeplyNested()}}`);

/** Faults of any request to the site: the word may be anywhere in the request. */
export const requestFaults: SiteFaults = {
  'lab-http429': throttle(),
  'lab-http503': down,
  'lab-is-html': respondsWith('returns 200 with a web page', page, { 'content-type': 'text/html; charset=utf-8' }),
  'lab-is-void': empty(json),
  'lab-is-half': respondsWith('returns truncated JSON', '{"playabilityStatus":{"status":"OK"},"contents":{"two', json),
  'lab-is-huge': sendsHuge('{"contents":"', 'x', json),
  'lab-is-deep': sends('returns JSON nested 100000 levels deep', deep, json),
  'lab-is-slow': silent,
};

/** Returns the fault that the text of a request names. */
export function faultIn(text: string): SiteFault | undefined {
  return faultWithin(text, requestFaults);
}
