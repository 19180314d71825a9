import { expect, it } from 'vitest';
import { readCommentPage } from '../parse/comments/comment-page.ts';
import { recordings, recordingsOf } from '../testing/recordings.ts';
import { channelOf } from './comments.ts';

it.skipIf(recordings().length === 0)('every recorded page of comments states the one channel of its video', () => {
  for (const { name, body } of recordingsOf('comments')) {
    const channels = channelOf(readCommentPage(body)).channels?.filter((channel) => channel.startsWith('UC'));
    expect(channels, name).toHaveLength(1);
  }
});
