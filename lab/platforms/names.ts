import type { Topic } from './headlines.ts';
import { choose, pick } from './seeded.ts';

const firstNames = [
  'Marta',
  'Jonas',
  'Aiko',
  'Priya',
  'Tomás',
  'Ingrid',
  'Kwame',
  'Elif',
  'Mateo',
  'Sofie',
  'Noor',
  'Callum',
  'Zanele',
  'Henrik',
  'Leïla',
  'Daniel',
] as const;

const lastNames = [
  'Oliveira',
  'Lindqvist',
  'Tanaka',
  'Raman',
  'Herrera',
  'Okafor',
  'Yılmaz',
  'de Vries',
  'Moreau',
  'Haddad',
  'Novák',
  'Byrne',
  'Schuster',
  'Mokoena',
  'Castellano',
  'Whitfield',
] as const;

const others = ['Pracownia na Wzgórzu', 'قناة الأفق', 'Вечерний поезд', 'Oficina do Zé', 'Die Werkstatt'] as const;

const labels = ['{} Weekly', 'Slow {}', 'The {} Archive', '{} & Co.', 'Little {}', '{} Diary'] as const;

/** Returns the name of a person. */
export function personName(seed: string): string {
  return `${choose(firstNames, 'first', seed)} ${choose(lastNames, 'last', seed)}`;
}

/** Returns the name of a channel: of a person, of a publication about its topic, or in another script. */
export function channelName(topic: Topic, seed: string): string {
  const kind = pick(8, 'kind', seed);
  if (kind === 0) return choose(others, 'other', seed);
  if (kind < 4) return choose(labels, 'label', seed).replace('{}', `${topic[0]?.toUpperCase()}${topic.slice(1)}`);
  return personName(seed);
}
