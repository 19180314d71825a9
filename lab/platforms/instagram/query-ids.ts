/** Numbers of the site's queries: the numbers that clients know, and the numbers that replace them. */
export const queryIds = {
  known: { post: '27130156389949648', clips: '27695069083459414', shortcode: '8845758582119845' },
  next: { post: '31999999999999999' },
} as const;
