import {
  deeplyNested,
  down,
  empty,
  faultWithin,
  respondsWith,
  type SiteFault,
  type SiteFaults,
  silent,
  streams,
  throttle,
} from '../site-faults.ts';

const json = { 'content-type': 'application/json; charset=UTF-8' };
const page =
  '<!DOCTYPE html><html><head><title>Before you continue</title></head><body>Before you continue</body></html>';
const hugeBytes = 64 * 1024 * 1024;
const huge = () => Buffer.concat([Buffer.from('{"contents":"'), Buffer.alloc(hugeBytes, 'x'), Buffer.from('"}')]);
const deep = () => Buffer.from(`{"contents":${deeplyNested()}}`);

/** Faults of any request to the site: the word stands anywhere in the request. */
export const requestFaults: SiteFaults = {
  'lab-http429': throttle(),
  'lab-http503': down,
  'lab-is-html': respondsWith('answers 200 with a web page', page, { 'content-type': 'text/html; charset=utf-8' }),
  'lab-is-void': empty(json),
  'lab-is-half': respondsWith(
    'answers JSON that breaks off',
    '{"playabilityStatus":{"status":"OK"},"contents":{"two',
    json,
  ),
  'lab-is-huge': streams('answers JSON of 64 MB', huge, json),
  'lab-is-deep': streams('answers JSON that is nested 100000 deep', deep, json),
  'lab-is-slow': silent,
};

/** The fault that a request names, by its text. */
export function faultIn(text: string): SiteFault | undefined {
  return faultWithin(text, requestFaults);
}
