import { fakeSite } from '../../testing/fake-site.ts';
import type { LinkReaders } from '../../testing/link-readers.ts';
import { audioIdOf, shortcodeOf, usernameOf } from '../endpoints/parameters.ts';
import { createRequests } from '../requests.ts';
import { defaultSite } from '../site.ts';

const { context } = fakeSite(() => new Error('No request to the site is expected.'));
const requests = createRequests(context.source, defaultSite);

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [(link) => shortcodeOf(link, requests), audioIdOf, usernameOf];
