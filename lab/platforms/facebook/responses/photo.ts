import { pictureLink } from '../links.ts';
import { sitePage } from '../page.ts';
import type { Photo } from '../world/photos.ts';
import { opaqueName, postCalled } from '../world/posts.ts';
import { feedbackNode } from './feedback.ts';
import { dataId, ownerNode } from './video.ts';

/** Widths of the lab's images, by height. */
const widths = { 144: 256, 360: 640, 720: 1280, 1080: 1920 } as const;

/** Returns a photo as it appears in a post: a smaller file, and the size of the largest file. */
export function photoMedia(photo: Photo): Record<string, unknown> {
  return {
    __typename: 'Photo',
    id: photo.id,
    viewer_image: { width: widths[photo.height], height: photo.height },
    photo_image: { uri: photoFile(photo, 360), width: widths[360], height: 360 },
    accessibility_caption: photo.caption,
    url: `https://www.facebook.com/photo/?fbid=${photo.id}&set=a.5`,
    owner: { __typename: 'User', id: photo.owner.id },
  };
}

/** Returns the link of a photo's file. */
export function photoFile({ id }: Photo, height: keyof typeof widths): string {
  return pictureLink(id, widths[height], height);
}

/** Returns the page of a photo. */
export function photoPage(photo: Photo, host: string): string {
  const post = postCalled(`8${photo.id.slice(1)}`, photo.owner);
  const operation = 'CometPhotoRootContentQuery';
  const file = (height: keyof typeof widths) => ({ uri: photoFile(photo, height), width: widths[height], height });
  const story = { __typename: 'Story', id: dataId(`S:_I${photo.owner.id}`, post.id, post.id), post_id: post.id };
  const id = photo.id;
  return sitePage({
    host,
    path: `/photo/?fbid=${id}`,
    title: photo.owner.name,
    results: [
      {
        operation,
        data: {
          currMedia: {
            __typename: 'Photo',
            id,
            image: file(photo.height),
            thumbnailImage: file(360),
            accessibility_caption: photo.caption,
            owner: ownerNode(photo),
            container_story: {
              ...story,
              url: `https://www.facebook.com/${photo.owner.vanity}/posts/${opaqueName(post)}`,
              message: { text: post.text },
            },
            created_time: photo.created,
          },
          prevMedia: { edges: [] },
          nextMedia: { edges: [{ node: { __typename: 'Photo', id: `${BigInt(id) + 1n}`, image: file(144) } }] },
        },
      },
      {
        operation,
        label: 'CometPhotoRootContent$defer$CometUFI',
        path: ['currMedia', 'container_story'],
        data: { ...story, feedback: feedbackNode(post.id) },
      },
    ],
  });
}
