import Type from 'typebox';
import { optionalText, time } from './members.ts';

/** The audited changes. An action is named after its object and its effect. Others may follow. */
export const auditActions = [
  'key.create',
  'key.update',
  'key.disable',
  'key.enable',
  'key.rotate',
  'key.revoke',
  'backup.download',
  'node.drain',
  'node.resume',
  'job.cancel',
  'block.add',
  'block.remove',
  'secret.rotate',
  'audit.accept',
] as const;

/** One of {@link auditActions}. */
export type AuditAction = (typeof auditActions)[number];

/** What a verification of the audit log can find. Others may follow. */
export const auditFaults = ['altered', 'unchained', 'unsealed', 'wrong_start', 'not_accepted', 'missing'] as const;

/** A value of a changed member: text, a number, true, false, or null if it was not set. */
const memberValueSchema = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** See {@link memberValueSchema}. */
export type MemberValue = Type.Static<typeof memberValueSchema>;

const changesSchema = Type.Record(Type.String(), Type.Object({ before: memberValueSchema, after: memberValueSchema }), {
  description: 'The changed members, each with its value before and after the change. It contains no secrets.',
});

/** The members of an object that a change affected. */
export type Changes = Type.Static<typeof changesSchema>;

/** An entry of the audit log. */
export const auditEntrySchema = Type.Object({
  id: Type.String({ description: 'ID of the entry. Later entries have higher IDs.', examples: ['17'] }),
  at: time('When the change was made.'),
  actor: Type.String({
    description:
      'Who made the change: the X-Millrace-Actor header of the request, otherwise `admin API`; `settings` for keys in ' +
      'EXTRACTION_KEYS and RENDER_KEYS, and `first start` for the first keys.',
  }),
  action: Type.String({ description: 'What was done.', examples: [...auditActions] }),
  target: Type.String({ description: 'ID of the changed object, such as a key.' }),
  changes: changesSchema,
  reason: optionalText('The reason that the actor gave.'),
  requestId: optionalText('ID of the request; null without a request.'),
});

/** An entry of the audit log. */
export type AuditEntry = Type.Static<typeof auditEntrySchema>;
