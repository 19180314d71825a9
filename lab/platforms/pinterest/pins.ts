import { type Title, titleFor } from '../../media/titles.ts';
import { titleOfItem } from '../headlines.ts';
import { choose, pick } from '../seeded.ts';
import { documentedId, type Form, type Generation, type Scenario, scenarios } from './scenarios.ts';

/** Pin of the simulated site. */
export interface Pin extends Scenario {
  readonly id: string;
  readonly form: Form;
  readonly generation: Generation;
  readonly title: string;
  readonly description: string;
  /** Creation time in milliseconds since 1970. */
  readonly createdAt: number;
  /** ID of the story. */
  readonly storyId: string;
  readonly items: readonly Item[];
  /** Main image. */
  readonly cover: Picture;
  /** Duration of its videos in seconds. */
  readonly seconds: number;
  /** Generated media of the pin. */
  readonly media: Title;
}

/** Page of a story, or slot of a carousel. */
export interface Item {
  readonly kind: 'picture' | 'video';
  readonly picture: Picture;
  readonly words?: string;
  readonly music?: true;
}

/** Image of a pin; number 0 is the main one. */
export interface Picture {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly ending: 'jpg' | 'png' | 'gif';
}

/** Size of uploaded videos in pixels. */
export const upload = { width: 1920, height: 1080 } as const;

const seconds = 8;
/** First day of the simulated site; creation times of pins are counted from it. */
const firstDay = Date.UTC(2023, 0, 1);
const years = 3 * 365 * 86_400;

/** Finds a pin by its ID; returns undefined if the site does not know it. */
export function findPin(id: string): Pin | undefined {
  if (!/^[1-9]\d{4,24}$/.test(id) || id.startsWith('404')) return undefined;
  const scenario = Object.hasOwn(scenarios, id) ? scenarios[id] : undefined;
  return scenario?.mergedInto === undefined
    ? describe(id, scenario ?? ordinary(id))
    : findPin(documentedId(scenario.mergedInto));
}

/** Finds an image of a pin by its number. */
export function pictureOf(pin: Pin, number: number): Picture | undefined {
  return [pin.cover, ...pin.items.map(({ picture }) => picture)].find((picture) => picture.number === number);
}

function ordinary(id: string): Scenario {
  return {
    about: 'ordinary',
    form: choose(['picture', 'plain', 'clip', 'video', 'story', 'gif'], 'form', id),
    generation: choose(['2026', '2025', '2024'], 'generation', id),
  };
}

function describe(id: string, scenario: Scenario): Pin {
  const { form = 'picture', generation = '2026', ending = form === 'gif' ? 'gif' : 'jpg' } = scenario;
  const cover: Picture =
    form === 'clip' || form === 'video'
      ? { number: 0, width: 1280, height: 720, ending: 'jpg' }
      : {
          number: 0,
          ...choose(
            [
              { width: 1000, height: 1500 },
              { width: 1080, height: 1080 },
            ],
            'cover',
            id,
          ),
          ending,
        };
  return {
    ...scenario,
    id,
    form,
    generation,
    title: titleOfItem(id),
    description: `A pin of the lab: ${scenario.about}. #lab #${form} for @thelab${scenario.words === undefined ? '' : ` ${scenario.words}`}`,
    createdAt: firstDay + 1000 * pick(years, 'created', id),
    storyId: `54${pick(1_000_000_000, 'story', id)}`,
    items: itemsOf(form, cover),
    cover,
    seconds,
    media: titleFor(id, seconds),
  };
}

function itemsOf(form: Form, cover: Picture): readonly Item[] {
  const page = (number: number): Picture => ({ number, width: 900, height: 1200, ending: 'jpg' });
  switch (form) {
    case 'picture':
      return [{ kind: 'picture', picture: cover }];
    case 'clip':
      return [{ kind: 'video', picture: { number: 1, ...upload, ending: 'jpg' } }];
    case 'story':
      return [
        { kind: 'picture', picture: page(1) },
        { kind: 'video', picture: { number: 2, ...upload, ending: 'jpg' } },
        { kind: 'picture', picture: page(3), words: 'The last page', music: true },
      ];
    case 'carousel':
      return [1, 2, 3].map((number) => ({ kind: 'picture', picture: page(number) }));
    default:
      return [];
  }
}
