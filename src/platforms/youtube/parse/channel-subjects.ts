import type { Subjects } from '../../../contract/subjects.ts';
import { dig, type Fields } from '../../../parsing/values.ts';
import { readChannelHeader } from './channel-header.ts';
import { channelIdOf } from './ids.ts';
import { readHandle } from './outbound-links.ts';

/** Returns the channel whose page a response is, by its ID and its handle. Further pages of lists do not state them. */
export function channelSubjects({ metadata, header }: Fields): Subjects {
  const channel = dig(metadata, 'channelMetadataRenderer');
  const { texts } = readChannelHeader(header);
  const names = [
    channelIdOf(dig(channel, 'externalId')),
    readHandle(dig(channel, 'vanityChannelUrl')),
    texts.find((words) => words?.startsWith('@')),
  ];
  return { channels: names.filter((name) => name !== undefined) };
}
