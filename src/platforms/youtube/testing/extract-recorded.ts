import type { EndpointParameters, Extraction } from '../../platform.ts';
import { fakeSite, type SeenRequest } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import { type Recording, recordingsOf } from './recordings.ts';

/** Runs an endpoint against a recorded response. Returns the result and the requests. */
export async function extractRecorded(
  path: string,
  parameters: EndpointParameters,
  { status, body }: Pick<Recording, 'status' | 'body'>,
  cursor?: string,
): Promise<Extraction & { readonly requests: readonly SeenRequest[] }> {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint has the path ${path}`);
  const site = fakeSite(() => ({ status, body }), cursor === undefined ? {} : { cursor });
  return { ...(await endpoint.extract(parameters, site.context)), requests: site.requests };
}

/** Returns the first recording of a group whose name contains a text. */
export function findRecording(group: string, part: string): Recording {
  const recording = recordingsOf(group).find(({ name }) => name.includes(part));
  if (recording === undefined) throw new Error(`no recording matches ${part}`);
  return recording;
}
