import Type from 'typebox';
import { jobIdPattern } from './job-id.ts';

/** An attempt to deliver an event. */
const deliveryAttemptSchema = Type.Object({
  at: Type.String({ format: 'date-time', description: 'When it began.' }),
  milliseconds: Type.Integer({ minimum: 0, description: 'How long it took.' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the answer, where one came.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
});

/** An attempt to deliver an event. */
export type DeliveryAttempt = Readonly<Type.Static<typeof deliveryAttemptSchema>>;

/** The states of a delivery. */
const deliveryStates = ['waiting', 'pending', 'delivered', 'given_up'] as const;

/** A state of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];

/** The deliveries to a job's webhook. */
export const deliveriesSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  deliveries: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The webhook-id header of every try.' }),
      state: Type.Enum([...deliveryStates], {
        description: 'waiting: the job is not over. pending: tried, and tried again. The other two are final.',
      }),
      nextTryAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When it is tried next, at the earliest.',
      }),
      tries: Type.Array(deliveryAttemptSchema),
    }),
    { description: 'One where the job has a webhook, else none.' },
  ),
});

/** The deliveries to a job's webhook. */
export type Deliveries = Type.Static<typeof deliveriesSchema>;
