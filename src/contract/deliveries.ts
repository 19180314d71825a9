import Type from 'typebox';
import { jobIdPattern } from './job-id.ts';

/** An attempt to deliver an event. */
export const deliveryAttemptSchema = Type.Object({
  at: Type.String({ format: 'date-time', description: 'Start time of the attempt.' }),
  milliseconds: Type.Integer({ minimum: 0, description: 'Duration of the attempt.' }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'HTTP status of the response; null if there was none.',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the attempt failed.' }),
});

/** An attempt to deliver an event. */
export type DeliveryAttempt = Readonly<Type.Static<typeof deliveryAttemptSchema>>;

/** The states of a delivery. */
const deliveryStates = ['waiting', 'pending', 'delivered', 'given_up'] as const;

/** A state of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];

/** The delivery of a job's last status event to a webhook. */
export const deliverySchema = Type.Object({
  id: Type.String({ description: 'The webhook-id header, the same for every attempt.' }),
  webhookId: Type.Union([Type.String(), Type.Null()], {
    description: "ID of the account's webhook. null for the webhook of the job itself.",
  }),
  state: Type.Enum([...deliveryStates], {
    description:
      'waiting: the job has not ended. pending: delivery is being attempted or retried. delivered and given_up are final, unless the event is redelivered.',
  }),
  nextTryAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Earliest time of the next attempt.',
  }),
  tries: Type.Array(deliveryAttemptSchema),
});

/** The delivery of a job's last status event to a webhook. */
export type Delivery = Type.Static<typeof deliverySchema>;

/** The deliveries of a job's last status event. */
export const deliveriesSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  deliveries: Type.Array(deliverySchema, {
    description: "The delivery to the job's own webhook, and once the job has ended, to each webhook of its account.",
  }),
});

/** The deliveries of a job's last status event. */
export type Deliveries = Type.Static<typeof deliveriesSchema>;
