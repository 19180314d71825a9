import { decline } from '../binary/fast-path-declined.ts';
import type { AccessUnit } from './access-unit.ts';
import { readPictureParameters } from './picture-parameters.ts';
import { readSequenceParameters, type SequenceParameters } from './sequence-parameters.ts';

/** Picture parameter sets that a file header may have, and bytes of a set (ISO/IEC 14496-15 §5.3.3.1). */
const maxPictureSets = 31;
const maxSetBytes = 0xffff;
/** Bytes of the shortest set. */
const minSetBytes = 4;

/** The parameter sets of a stream, which the first picture brings and later ones only repeat. */
export class ParameterSets {
  readonly sequence: Buffer;
  readonly pictures: readonly Buffer[];
  readonly parameters: SequenceParameters;
  /** Numbers of the picture parameter sets. */
  readonly #numbers: ReadonlySet<number>;
  readonly #sets: readonly Buffer[];

  /** @throws FastPathDeclined for sets that are malformed. */
  constructor(sequence: Buffer, pictures: readonly Buffer[]) {
    this.#sets = [sequence, ...pictures];
    const malformed = this.#sets.some(({ length }) => length < minSetBytes || length > maxSetBytes);
    if (malformed || pictures.length > maxPictureSets) decline('its parameter sets are malformed');
    this.sequence = sequence;
    this.pictures = pictures;
    this.parameters = readSequenceParameters(sequence);
    this.#numbers = new Set(pictures.map((set) => readPictureParameters(set, this.parameters)));
    if (this.#numbers.size < pictures.length) decline('its parameter sets change');
  }

  /** Declines a picture that changes the sets, or refers to others. */
  check(unit: AccessUnit, bytes: Buffer): void {
    if (!unit.repeats(bytes, this.#sets)) decline('its parameter sets change');
    if (!this.#numbers.has(unit.pictureSet)) decline('its pictures refer to a parameter set that is missing');
  }
}

/** Reads the sets of the first picture. */
export function readParameterSets(unit: AccessUnit, bytes: Buffer): ParameterSets {
  const [sequence, ...others] = unit.sets(bytes, 'sequence');
  const pictures = unit.sets(bytes, 'picture');
  if (!unit.key || sequence === undefined || pictures.length === 0) decline('it does not begin with a key frame');
  if (others.some((other) => !other.equals(sequence))) decline('it has several sequence parameter sets');
  return new ParameterSets(
    sequence,
    pictures.filter((set, at) => pictures.findIndex((other) => other.equals(set)) === at),
  );
}
