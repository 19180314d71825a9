import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, type Fields, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { memberKinds } from '../member-kinds.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { Poll, PostImage, PostItem, Quiz } from './list-item.ts';
import { readLockup } from './lockup.ts';
import { readPlaylist } from './playlist.ts';
import { readVideo } from './video.ts';

/** Maximum number of images or poll choices, more than a post can have. */
const MAX_PARTS = 50;

type Attachment = Pick<PostItem, 'images' | 'poll' | 'quiz' | 'video' | 'playlist'>;

/** Reads `backstageAttachment`: a post's content other than its text. Omits an attachment of an unknown kind. */
export function readAttachment(node: unknown): Attachment {
  const attachment = fields(node);
  const many = list(dig(attachment.postMultiImageRenderer, 'images')).slice(0, MAX_PARTS);
  const images = [attachment, ...many].flatMap((one) => readImage(dig(one, 'backstageImageRenderer', 'image')) ?? []);
  return defined({
    images: unlessEmpty(images),
    poll: readPoll(attachment.pollRenderer),
    quiz: readQuiz(attachment.quizRenderer),
    ...readMedium(attachment),
  });
}

/** Returns the site's name of a post's attachment if it is of an unknown kind. */
export function unknownAttachment(thread: unknown): string | undefined {
  const post = dig(thread, 'post') ?? thread;
  const attachment = dig(
    dig(post, 'backstagePostRenderer') ?? dig(post, 'sharedPostRenderer') ?? post,
    'backstageAttachment',
  );
  if (attachment === undefined || Object.keys(readAttachment(attachment)).length > 0) return undefined;
  return Object.keys(memberKinds(attachment))[0];
}

function readMedium({
  videoRenderer,
  playlistRenderer,
  lockupViewModel,
}: Fields): Pick<Attachment, 'video' | 'playlist'> {
  const medium = readVideo(videoRenderer) ?? readPlaylist(playlistRenderer) ?? readLockup(lockupViewModel);
  switch (medium?.type) {
    case 'video':
    case 'short':
    case 'live':
    case 'movie':
      return { video: medium };
    case 'playlist':
    case 'mix':
      return { playlist: medium };
    default:
      return {};
  }
}

/** Reads an image. Its address has the size after a `=`; `=s0` is the original. */
function readImage(node: unknown): PostImage | undefined {
  const thumbnails = readThumbnails(node);
  const [largest] = thumbnails;
  return largest === undefined ? undefined : { url: largest.url.replace(/^([^?=]+)=[^?/]*$/, '$1=s0'), thumbnails };
}

function readPoll(node: unknown): Poll | undefined {
  const { choices, totalVotes } = fields(node);
  if (!Array.isArray(choices)) return undefined;
  return {
    choices: choices.slice(0, MAX_PARTS).map((choice) => {
      const { voteRatio, votePercentage, ...rest } = fields(choice);
      const ratio = voteRatio ?? rest.voteRatioIfNotSelected;
      return defined({
        ...readChoice(choice),
        voteRatio: typeof ratio === 'number' && ratio >= 0 && ratio <= 1 ? ratio : undefined,
        voteRatioText: readText(votePercentage) ?? readText(rest.votePercentageIfNotSelected),
      });
    }),
    ...countMembers('voteCount', readText(totalVotes)),
  };
}

function readQuiz(node: unknown): Quiz | undefined {
  const { choices, totalVotes } = fields(node);
  if (!Array.isArray(choices)) return undefined;
  return {
    choices: choices.slice(0, MAX_PARTS).map((choice) => {
      const { isCorrect, explanation } = fields(choice);
      return defined({
        ...readChoice(choice),
        correct: typeof isCorrect === 'boolean' ? isCorrect : undefined,
        explanation: readText(explanation),
      });
    }),
    ...countMembers('voteCount', readText(totalVotes)),
  };
}

function readChoice(choice: unknown) {
  const { text, image } = fields(choice);
  return { text: readText(text), thumbnails: unlessEmpty(readThumbnails(image)) };
}
