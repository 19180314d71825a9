/** Maximum length of a text. */
const TEXT_LENGTH = 100;

/** The random ID in the job ID of a render config, and its replacement. */
const jobUuid = /\b(p\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
const exampleUuid = '6b1f0c3e-9a57-4d28-8e41-c70d5f92ab16';

/** Sealed data, such as the order in an execution URL. Nothing else in responses has as many of these characters. */
const sealedData = /[\w-]{120,}/g;

/**
 * Returns a response as an example: with the first entry of each list, with short texts, and without random values. Two
 * responses with the same content result in the same example.
 */
export function shortenExample(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value.replace(jobUuid, `$1-${exampleUuid}`));
  if (Array.isArray(value)) return value.slice(0, 1).map(shortenExample);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenExample(member)]));
}

function shortenText(text: string): string {
  const short = text.replace(sealedData, 'sealed-data');
  return short.length > TEXT_LENGTH ? `${short.slice(0, TEXT_LENGTH - 3)}...` : short;
}
