import type { Restrictions } from '../self-restriction/restrictions.ts';

/** The isolation layers of a child. The consequence of a missing one depends on the others. */
interface Layers extends Restrictions {
  readonly networkNamespace: boolean;
  readonly processNamespace: boolean;
  /** Whether the child has its own file system view, with only the files that it needs. */
  readonly view: boolean;
  /** Whether the child has its own user; `undefined` if the service is not root and cannot set one. */
  readonly ownUser: boolean | undefined;
  /** Whether all privileges are dropped permanently. */
  readonly noPrivileges: boolean;
  /** Whether the kernel kills it when the service dies. */
  readonly deathSignal: boolean;
  /** Whether the number of its processes is limited. */
  readonly processLimit: boolean;
  /** Resources without a limit on this system, as text. */
  readonly unlimitedResources: readonly string[];
}

/** Versions of Landlock that introduced rules for TCP, and for signals and abstract unix sockets. */
const [networkVersion, signalVersion] = [4, 6];

/** Returns the missing layers, each as `layer: consequence`. */
export function missingLayers(layers: Layers): string[] {
  const { networkNamespace, processNamespace, view, landlock, systemCalls } = layers;
  const noSignals = systemCalls || landlock >= signalVersion || layers.ownUser === true;
  return [
    ...layers.unlimitedResources.map((what) => `resource limits: ${what}`),
    ...missingLayer(layers.processLimit || systemCalls, 'process limit', 'a child can start any number of processes'),
    ...missingLayer(layers.deathSignal, 'parent death signal', 'children end with a delay after the service dies'),
    ...missingLayer(
      networkNamespace,
      'network namespace',
      systemCalls ? 'only the system call filter keeps children off the network' : networkConsequence(landlock),
    ),
    ...missingLayer(
      processNamespace,
      'process namespace',
      noSignals
        ? 'only other layers keep children from signalling the service'
        : "children can see and signal other processes of the service's user",
    ),
    ...missingLayer(
      view,
      'file system view',
      landlock > 0
        ? 'only Landlock keeps children from reading other files, whose names and sizes remain visible'
        : 'children can read and write all files that the service can, including secrets and the files of other jobs',
    ),
    ...missingLayer(layers.ownUser !== false, 'own user', 'children run as root, like the service'),
    ...missingLayer(
      layers.noPrivileges,
      'privileges',
      "children keep the service's privileges and can read its memory",
    ),
    ...missingLayer(
      landlock > 0,
      'Landlock',
      view
        ? 'only the file system view prevents children from reading other files'
        : 'no other layer restricts file access',
    ),
    ...missingLayer(
      systemCalls,
      'system call filter',
      'children can make any system call, and open sockets that no namespace confines (vsock)',
    ),
  ];
}

function missingLayer(present: boolean, layer: string, consequence: string): string[] {
  return present ? [] : [`${layer}: ${consequence}`];
}

function networkConsequence(landlock: number): string {
  if (landlock >= networkVersion) return 'children cannot use TCP, but can use all other kinds of sockets';
  return 'children can reach every address that the service can, including your own network';
}
