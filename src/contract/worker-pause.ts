import Type from 'typebox';

/** Reasons why a worker pauses and takes no jobs. */
export const pauseReasons = ['disk_full', 'disk_failing', 'store_failing', 'draining'] as const;

/** One of {@link pauseReasons}. */
export type PauseReason = (typeof pauseReasons)[number];

/** A paused worker as reported by `/health`, on a node whose other roles work. */
export const pausedWorkerSchema = Type.Object(
  {
    status: Type.Enum(['paused']),
    reasons: Type.Array(Type.Enum([...pauseReasons]), {
      description:
        'The disk of DATA_DIR is full or failing, the store is failing, or an administrator drains the node.',
    }),
  },
  { description: "Present while the worker of this node takes no jobs. The node's other roles work." },
);

/** See {@link pausedWorkerSchema}. */
export type PausedWorker = Type.Static<typeof pausedWorkerSchema>;
