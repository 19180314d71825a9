import type { EndpointParameters } from '../platforms/platform.ts';
import type { Answer } from './answers.ts';
import { cacheHeaders, isSealed } from './cache-headers.ts';
import type { Extracted } from './extract.ts';
import { type Asked, type LinkServices, present } from './present.ts';
import { priceNote, priceOf } from './prices.ts';

/** An answer that is at hand, and its price in credits. */
export interface KeptAnswer {
  /** JSON. */
  readonly body: Buffer;
  readonly price: number;
  readonly headers: Record<string, string>;
}

interface Made {
  readonly body: Buffer;
  readonly price: number;
  readonly sealed: boolean;
}

/** Callers who ask for ever other parts are served all the same, each time anew. */
const MOST_FORMS = 4;

/** What was made of kept extractions, as long as these are kept: by everything that it depends on. */
const made = new WeakMap<Extracted, Map<string, Made>>();

/** The forms that parameters ask for. Those of a request that was read before are the same object. */
const forms = new WeakMap<EndpointParameters, string>();

function formOf(parameters: EndpointParameters): string {
  const known = forms.get(parameters);
  if (known !== undefined) return known;
  const { fields, urlAccess, renderableFormats } = parameters;
  const form = JSON.stringify([fields, urlAccess, renderableFormats]);
  forms.set(parameters, form);
  return form;
}

/** Presents a kept extraction. What holds no sealed link is the same for all callers of a plan, and made once. */
export function keptAnswer(answer: Answer, asked: Asked, note: string | undefined, services: LinkServices): KeptAnswer {
  const { plan, visitor } = asked.account;
  const name = `${plan.name} ${visitor !== undefined} ${formOf(asked.parameters)} ${note ?? ''}`;
  const known = made.get(answer.extraction) ?? new Map<string, Made>();
  const found = known.get(name) ?? make(answer.extraction, asked, note, services);
  const { body, price, sealed } = found;
  if (!sealed && !known.has(name) && known.size < MOST_FORMS) made.set(answer.extraction, known.set(name, found));
  return { body, price, headers: cacheHeaders(answer, sealed) };
}

function make(extraction: Extracted, asked: Asked, note: string | undefined, services: LinkServices): Made {
  const result = present(extraction, asked, services);
  const price = priceOf(asked.endpoint, asked.parameters, result.contents);
  const notes = [...(result.notes ?? []), ...(note === undefined ? [] : [note]), priceNote(price)];
  const body = Buffer.from(JSON.stringify({ ...result, notes }));
  return { body, price, sealed: isSealed(result, asked.account, services.addresses().base) };
}
