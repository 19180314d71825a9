import type { UnreadKinds } from '../../platforms/unread.ts';
import { createRecorder } from '../../recording/exchange-recorder.ts';
import { recordEndpoint } from '../../recording/record-endpoint.ts';
import type { UnreadResponses } from '../../recording/unread-responses.ts';
import { createKindNames } from '../unread-kind-names.ts';
import { unreadOfError } from '../unread-of-error.ts';
import type { FetchSource } from './extract.ts';

/** Wraps `fetchSource` to keep the site's responses of extractions that could not read all of them. */
export function keepUnread(fetchSource: FetchSource, responses: UnreadResponses): FetchSource {
  return async (query, caller, signal) => {
    const { platform, endpoint } = query;
    const recorder = createRecorder();
    const keep = (unread: UnreadKinds = {}) => {
      const kinds = createKindNames()(unread);
      if (Object.keys(kinds).length === 0) return;
      responses.keep({ platform, endpoint: endpoint.path, kinds }, recorder.exchanges);
    };
    try {
      const extraction = await fetchSource({ ...query, endpoint: recordEndpoint(endpoint, recorder) }, caller, signal);
      keep(extraction.unread);
      return extraction;
    } catch (error) {
      keep(unreadOfError(error));
      throw error;
    }
  };
}
