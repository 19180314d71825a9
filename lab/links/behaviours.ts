import { RequestError } from '../http/exchange.ts';

/** A behaviour of media links or of an item that is on. */
export interface Behaviour {
  /** ID of the platform, such as `p1`. */
  readonly platform: string;
  readonly name: BehaviourName;
  /** Which links are affected; all if absent. */
  readonly item?: string;
  /** Part of the description of the client that the links were issued to, in lower case. */
  readonly profile?: string;
  /** Upper-case code of the country of the client that requests the media. */
  readonly country?: string;
  /** The file or variant: an itag of p1, a file name of p4, a quality of p5. */
  readonly file?: string;
  readonly form?: LinkForm;
  /** Bytes of the file at which links die, by the number of deaths so far. */
  readonly at?: readonly number[];
  /** Bytes sent through a link at which it dies, by the number of deaths so far. */
  readonly after?: readonly number[];
  /** Milliseconds since a link was issued. */
  readonly age?: number;
  /** Number of links of an item that die; all if absent. */
  readonly times?: number;
  /** Address that replaces the links. */
  readonly to?: string;
}

/** Form of media: a single file, or playlists and segments. */
export type LinkForm = 'file' | 'hls';

/** The behaviours, with their descriptions. */
export const behaviours = {
  refused: { about: 'links are refused before their first byte' },
  dies: { about: 'links break off, and are refused from then on: `at` a byte, `after` some bytes, or at an `age`' },
  first_mib: { about: 'links work for the first MiB of a file or stream, and are refused from then on' },
  expires: { about: 'new links say that they expire at an `age`, and do so' },
  elsewhere: { about: 'new links lead `to` another address' },
  resized: { about: 'new links lead to other files, which have other sizes' },
  removed: { about: 'the site says that the item was removed' },
  private: { about: 'the site says that the item is private' },
  age_restricted: { about: 'the site says that the item is for adults' },
} as const;

export type BehaviourName = keyof typeof behaviours;

/** The options of a behaviour, with their descriptions. */
export const behaviourOptions = {
  item: { about: 'ID of the only item that is affected' },
  profile: { about: 'only links that were issued to clients whose description contains this text' },
  country: { about: 'only requests from this country' },
  file: { about: 'only this file: an itag of p1, a file name of p4, a quality of p5' },
  form: { about: '`file` or `hls`: only files, or only playlists and segments' },
  at: { about: 'byte of the file; of a list such as `1000,5000`, the nth link that dies uses the nth number' },
  after: { about: 'bytes that were sent through the link; may be a list as well' },
  age: { about: 'milliseconds since the link was issued' },
  times: { about: 'number of links of each item that die; all by default' },
  to: { about: 'absolute URL' },
} as const;

const maxNumber = Number.MAX_SAFE_INTEGER;
/** Platforms whose links the behaviours affect. */
const platforms = ['p1', 'p4', 'p5'];

/**
 * Reads a behaviour from a query such as `p1=dies&item=lab-plain30&at=1000`.
 *
 * @throws RequestError naming the parameter and the problem with it.
 */
export function parseBehaviour(query: URLSearchParams): Behaviour {
  const options = new Map(query);
  const chosen = platforms.filter((platform) => options.has(platform));
  const [platform] = chosen;
  const name = options.get(platform ?? '') ?? '';
  if (platform === undefined || chosen.length > 1) throw new RequestError(`Name one of ${platforms.join(', ')}.`);
  if (!isBehaviour(name)) throw new RequestError(`${platform} has no behaviour called ${name}.`);
  options.delete(platform);
  const unknown = [...options.keys()].find((option) => !Object.hasOwn(behaviourOptions, option));
  if (unknown !== undefined) throw new RequestError(`There is no option called ${unknown}.`);
  const behaviour: Behaviour = {
    platform,
    name,
    ...given('item', options.get('item')),
    ...given('profile', options.get('profile')?.toLowerCase()),
    ...given('country', options.get('country')?.toUpperCase()),
    ...given('file', options.get('file')),
    ...given('form', formOf(options.get('form'))),
    ...given('at', numbersIn('at', options.get('at'))),
    ...given('after', numbersIn('after', options.get('after'))),
    ...given('age', numbersIn('age', options.get('age'))?.[0]),
    ...given('times', numbersIn('times', options.get('times'))?.[0]),
    ...given('to', options.get('to')),
  };
  checkOptions(behaviour);
  return behaviour;
}

function checkOptions({ name, at, after, age, to }: Behaviour): void {
  const places = [at, after, age].filter((place) => place !== undefined).length;
  if (name === 'dies' && places !== 1) throw new RequestError('The behaviour dies needs at, after or age.');
  if (name === 'expires' && age === undefined) throw new RequestError('The behaviour expires needs age.');
  if (name === 'elsewhere' && !URL.canParse(to ?? '')) {
    throw new RequestError('The behaviour elsewhere needs an absolute URL in to.');
  }
}

function isBehaviour(name: string): name is BehaviourName {
  return Object.hasOwn(behaviours, name);
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function formOf(text: string | undefined): LinkForm | undefined {
  if (text === undefined || text === 'file' || text === 'hls') return text;
  throw new RequestError('form must be file or hls.');
}

function numbersIn(name: string, text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const numbers = text.split(',').map(Number);
  if (!/^\d+(,\d+)*$/.test(text) || numbers.some((number) => number > maxNumber)) {
    throw new RequestError(`${name} must be whole numbers.`);
  }
  return numbers;
}
