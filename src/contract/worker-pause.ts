import Type from 'typebox';

/** Why a worker takes up no jobs. */
export const pauseReasons = ['disk_full', 'disk_failing', 'store_failing'] as const;

/** One of {@link pauseReasons}. */
export type PauseReason = (typeof pauseReasons)[number];

/** A paused worker in `/health`, on a node whose other roles work. */
export const pausedWorkerSchema = Type.Object(
  {
    status: Type.Enum(['paused']),
    reasons: Type.Array(Type.Enum([...pauseReasons]), {
      description: 'The disk of its data is full or fails, or the store fails.',
    }),
  },
  { description: 'Present while the worker of this node takes up no jobs. Its other roles work.' },
);

/** See {@link pausedWorkerSchema}. */
export type PausedWorker = Type.Static<typeof pausedWorkerSchema>;
