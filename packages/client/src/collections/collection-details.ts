import type { ExtractionResponse } from '../extraction.ts';
import { defined, numberAt, textAt } from '../read-members.ts';
import type { RecognisedLink } from '../recognise-link.ts';
import type { CollectionDetails } from './collection-entry.ts';

/** Reads what the first page of a list states about the collection. */
export function readDetails({ endpoint, parameters }: RecognisedLink, response: ExtractionResponse): CollectionDetails {
  const { contents, metadata } = response;
  const { title, thumbnailUrl, playlist, hashtag, author, post, additionalData } = metadata;
  const tag = textAt(hashtag, 'tag');
  return defined({
    title: title ?? (tag === undefined ? parameters.query : `#${tag}`),
    author:
      textAt(playlist, 'info', 'author', 'name') ??
      textAt(author, 'name') ??
      textAt(author, 'username') ??
      textAt(post, 'channel', 'name'),
    count:
      contents?.length ??
      numberAt(playlist, 'info', 'videoCount') ??
      numberAt(hashtag, 'videoCount') ??
      numberAt(additionalData, 'searchResults', 'estimated_results') ??
      numberAt(author, 'postCount'),
    thumbnailUrl: thumbnailUrl ?? textAt(author, 'thumbnails', 0, 'url'),
    partial: endpoint === 'user/profile/details' || undefined,
  });
}
