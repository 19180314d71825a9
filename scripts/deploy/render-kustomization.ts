import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

/** A Kubernetes object, or a part of one. Only some members are checked, so the type is loose. */
export type Tree = { readonly [name: string]: Tree } & readonly Tree[] & string;

/** The members of a kustomization that {@link renderKustomization} supports. */
interface Kustomization {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly images?: readonly { name: string; newName: string; newTag: string; digest?: string }[];
  readonly patches?: readonly { path: string; target: { kind: string } }[];
  readonly configMapGenerator?: readonly Generator[];
}

interface Generator {
  readonly name: string;
  readonly behavior?: 'merge';
  readonly envs: readonly string[];
}

type Supported = Readonly<Record<keyof Kustomization, true>>;
const supported: Supported = {
  apiVersion: true,
  kind: true,
  namespace: true,
  resources: true,
  components: true,
  images: true,
  patches: true,
  configMapGenerator: true,
};

/** A Kubernetes object while it is rendered. */
type Part = Readonly<Record<string, unknown>>;

/**
 * Renders the subset of kustomize that `deploy/kubernetes` uses, for machines without kustomize. Unlike kustomize, it
 * adds no hash to the names of generated ConfigMaps, and a namespace to every object. A test compares its result with
 * that of `kubectl kustomize`.
 *
 * @param folder URL of the folder with the `kustomization.yaml`, ending in a slash.
 * @throws Error if the kustomization uses a member that is not supported.
 */
export function renderKustomization(folder: URL): readonly Tree[] {
  return build(folder, []) as readonly unknown[] as readonly Tree[];
}

function build(folder: URL, before: readonly Part[]): readonly Part[] {
  const own = parse(readFileSync(new URL('kustomization.yaml', folder), 'utf8')) as Kustomization;
  const unknown = Object.keys(own).filter((name) => !(name in supported));
  if (unknown.length > 0)
    throw new Error(`${folder.pathname}: ${unknown.join(', ')} is not supported by this renderer`);
  let objects = [...before, ...(own.resources ?? []).flatMap((path) => resource(new URL(path, folder)))];
  for (const path of own.components ?? []) objects = [...build(new URL(`${path}/`, folder), objects)];
  for (const generator of own.configMapGenerator ?? []) objects = generate(objects, folder, generator);
  for (const { path, target } of own.patches ?? []) {
    // The target is selected by kind: the kind and name in the patch are not used.
    const { kind: _kind, metadata: _metadata, ...patch } = parse(readFileSync(new URL(path, folder), 'utf8')) as Part;
    objects = objects.map((object) => (object.kind === target.kind ? mergeObject(object, patch) : object));
  }
  return objects.map((object) => withNamespace(withImages(object, own.images ?? []), own.namespace));
}

function resource(location: URL): readonly Part[] {
  if (!location.pathname.endsWith('.yaml')) return build(new URL(`${location.href}/`), []);
  return parseAllDocuments(readFileSync(location, 'utf8')).map((document) => document.toJS() as Part);
}

function generate(objects: readonly Part[], folder: URL, { name, behavior, envs }: Generator): Part[] {
  const data = Object.fromEntries(envs.flatMap((path) => readSettings(readFileSync(new URL(path, folder), 'utf8'))));
  if (behavior === undefined) return [...objects, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }];
  const isTarget = ({ kind, metadata }: Part) => kind === 'ConfigMap' && (metadata as Part).name === name;
  if (!objects.some(isTarget)) throw new Error(`no ConfigMap ${name} to merge ${envs} into`);
  return objects.map((one) => (isTarget(one) ? mergeObject(one, { data }) : one));
}

/** Returns the names and values of a file with a `NAME=value` on each line. */
function readSettings(text: string): [string, string][] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

/** Strategic merge: objects are merged, lists of named items are merged by name, everything else is replaced. */
function merge(base: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return mergeList(Array.isArray(base) ? base : [], patch);
  return isPart(base) && isPart(patch) ? mergeObject(base, patch) : patch;
}

function mergeObject(base: Part, patch: Part): Part {
  const changed = Object.entries(patch).map(([name, value]) => [name, merge(base[name], value)] as const);
  return { ...base, ...Object.fromEntries(changed) };
}

function mergeList(base: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  if (!patch.every((item) => isPart(item) && 'name' in item)) return patch;
  const changed = new Map(patch.map((item) => [nameOf(item), item]));
  const names = new Set(base.map(nameOf));
  const kept = base.map((item) => (changed.has(nameOf(item)) ? merge(item, changed.get(nameOf(item))) : item));
  return [...patch.filter((item) => !names.has(nameOf(item))), ...kept];
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const nameOf = (item: unknown) => (isPart(item) ? item.name : undefined);

function withImages(object: Part, images: NonNullable<Kustomization['images']>): Part {
  return JSON.parse(JSON.stringify(object), (key, value: unknown) => {
    const image = key === 'image' ? images.find(({ name }) => name === value) : undefined;
    if (image === undefined) return value;
    const digest = image.digest === undefined ? '' : `@${image.digest}`;
    return `${image.newName}:${image.newTag}${digest}`;
  }) as Part;
}

function withNamespace(object: Part, namespace: string | undefined): Part {
  return namespace === undefined ? object : mergeObject(object, { metadata: { namespace } });
}
