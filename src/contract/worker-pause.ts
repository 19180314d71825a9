import Type from 'typebox';

/** Why a worker takes up no jobs. */
export const pauseReasons = ['disk_full', 'disk_failing', 'store_failing'] as const;

/** One of {@link pauseReasons}. */
export type PauseReason = (typeof pauseReasons)[number];

/** What `/health` says of a paused worker whose node has other roles, which work. */
export const pausedWorkerSchema = Type.Object(
  {
    status: Type.Enum(['paused']),
    reasons: Type.Array(Type.Enum([...pauseReasons]), {
      description: 'The disk of its data is full, takes no files for another reason, or the storage takes no files.',
    }),
  },
  { description: 'Present while the worker of this node takes up no jobs. Its other roles work.' },
);

/** See {@link pausedWorkerSchema}. */
export type PausedWorker = Type.Static<typeof pausedWorkerSchema>;
