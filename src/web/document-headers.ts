/** Headers of the HTML documents of the page, apart from their content security policy. */
export const documentHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Documents must be revalidated: the page's key may be revoked, and a new version has other assets.
  'cache-control': 'no-cache',
} as const;
