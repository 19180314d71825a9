import type { Restrictions } from '../messages.ts';

/** The layers around a child. One that is missing matters more or less, as others cover for it. */
export interface Layers extends Restrictions {
  readonly networkNamespace: boolean;
  readonly processNamespace: boolean;
  /** A file system of the child's own, which holds nothing but what it needs. */
  readonly view: boolean;
  /** A user of the child's own; `undefined` where the service is not root and has no right to that. */
  readonly ownUser: boolean | undefined;
  /** Whether all privileges are dropped for good. */
  readonly noPrivileges: boolean;
  /** Whether it dies with the service. */
  readonly deathSignal: boolean;
  /** Whether the number of its processes is limited. */
  readonly processLimit: boolean;
  /** Resource limits that the system does not grant, in words. */
  readonly unlimited: readonly string[];
}

/** Versions of Landlock that brought rules for TCP, and for signals and abstract unix sockets. */
const [withNetwork, withSignals] = [4, 6];

/** The layers that are missing, each as `layer: what that means`. */
export function missingLayers(layers: Layers): string[] {
  const { networkNamespace, processNamespace, view, landlock, systemCalls } = layers;
  const noSockets = networkNamespace || systemCalls;
  const noSignals = processNamespace || systemCalls || landlock >= withSignals || layers.ownUser === true;
  return [
    ...layers.unlimited.map((what) => `resource limits: ${what}`),
    ...named(layers.processLimit || systemCalls, 'process limit', 'a child can start processes without end'),
    ...named(layers.deathSignal, 'parent death signal', 'children notice the death of the service with a delay'),
    ...named(
      networkNamespace,
      'network namespace',
      noSockets ? 'the system call filter alone keeps children off the network' : networkMeaning(landlock),
    ),
    ...named(
      processNamespace,
      'process namespace',
      noSignals
        ? 'other layers alone keep children from signalling the service'
        : "children can see and signal other processes of the service's user",
    ),
    ...named(
      view,
      'file system view',
      landlock > 0
        ? 'Landlock alone keeps children from files that are not theirs, whose names and sizes they can see'
        : 'children can read and write all files that the service can, other jobs and secrets included',
    ),
    ...named(layers.ownUser !== false, 'own user', 'children run as root, as the service does'),
    ...named(layers.noPrivileges, 'privileges', "children keep the service's privileges and can read its memory"),
    ...named(
      landlock > 0,
      'Landlock',
      view ? 'the file system view alone keeps children from other files' : 'nothing restricts files instead',
    ),
    ...named(
      systemCalls,
      'system call filter',
      'children can make every system call that the kernel has, and open sockets that no namespace confines (vsock)',
    ),
  ];
}

function named(present: boolean, layer: string, meaning: string): string[] {
  return present ? [] : [`${layer}: ${meaning}`];
}

function networkMeaning(landlock: number): string {
  if (landlock >= withNetwork) return 'children cannot use TCP, but every other kind of socket';
  return 'children can reach every address that the service can, those of your own network included';
}
