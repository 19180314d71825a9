/** The numbers of the site's queries: those that programs know, and those that the site changes to. */
export const queryIds = {
  known: { post: '27130156389949648', clips: '27695069083459414', shortcode: '8845758582119845' },
  next: { post: '31999999999999999' },
} as const;
