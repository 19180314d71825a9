import { decline } from '../binary/fast-path-declined.ts';
import type { AccessUnit } from './h264-access-unit.ts';
import { parsePps } from './h264-pps.ts';
import { parseSps, type Sps } from './h264-sps.ts';

/** Maximum number of picture parameter sets in a file header, and of bytes per set (ISO/IEC 14496-15 §5.3.3.1). */
const maxPps = 31;
const maxSetBytes = 0xffff;
/** Minimum size of a set in bytes. */
const minSetBytes = 4;

/** The parameter sets of a stream. The first picture contains them, and later ones may only repeat them. */
export class ParameterSets {
  readonly spsUnit: Buffer;
  readonly ppsUnits: readonly Buffer[];
  readonly sps: Sps;
  /** IDs of the picture parameter sets. */
  readonly #ppsIds: ReadonlySet<number>;
  readonly #sets: readonly Buffer[];

  /** @throws FastPathDeclined for malformed sets. */
  constructor(spsUnit: Buffer, ppsUnits: readonly Buffer[]) {
    this.#sets = [spsUnit, ...ppsUnits];
    const malformed = this.#sets.some(({ length }) => length < minSetBytes || length > maxSetBytes);
    if (malformed || ppsUnits.length > maxPps) decline('its parameter sets are malformed');
    this.spsUnit = spsUnit;
    this.ppsUnits = ppsUnits;
    this.sps = parseSps(spsUnit);
    this.#ppsIds = new Set(ppsUnits.map((set) => parsePps(set, this.sps)));
    if (this.#ppsIds.size < ppsUnits.length) decline('its parameter sets change');
  }

  /** Declines a picture that changes the sets or refers to others. */
  check(unit: AccessUnit, bytes: Buffer): void {
    if (!unit.hasOnlyParameterSets(bytes, this.#sets)) decline('its parameter sets change');
    if (!this.#ppsIds.has(unit.ppsId)) decline('its pictures refer to a parameter set that is missing');
  }
}

/** Reads the sets of the first picture. */
export function readParameterSets(unit: AccessUnit, bytes: Buffer): ParameterSets {
  const [spsUnit, ...others] = unit.parameterSets(bytes, 'sps');
  const ppsUnits = unit.parameterSets(bytes, 'pps');
  if (!unit.isKeyFrame || spsUnit === undefined || ppsUnits.length === 0) decline('it does not begin with a keyframe');
  if (others.some((other) => !other.equals(spsUnit))) decline('it has several sequence parameter sets');
  return new ParameterSets(
    spsUnit,
    ppsUnits.filter((set, at) => ppsUnits.findIndex((other) => other.equals(set)) === at),
  );
}
