import Type from 'typebox';

/** A kind of data that the service keeps. */
const keptDataSchema = Type.Object({
  data: Type.String({ description: 'The data, such as finished files.' }),
  description: Type.String({ description: 'Where and in which form it is kept, and when it is deleted.' }),
  maxSeconds: Type.Optional(
    Type.Integer({ description: 'Maximum number of seconds for which it is kept; absent if no time limit applies.' }),
  ),
});

/** Who operates a service, under which terms, and what it keeps for how long: the response of `GET /about`. */
export const aboutSchema = Type.Object({
  operator: Type.Object({
    name: Type.Optional(Type.String({ description: 'Name of the operator.' })),
    contact: Type.Optional(Type.String({ description: 'Address of the operator: mailto, http or https.' })),
  }),
  terms: Type.Object(
    {
      url: Type.Optional(Type.String({ description: 'Address of the terms of use.' })),
      text: Type.Optional(Type.String({ description: 'The terms of use as plain text.' })),
    },
    { description: 'Empty if the operator has published no terms.' },
  ),
  removal: Type.Optional(Type.String({ description: 'How to have data removed, in the words of the operator.' })),
  retention: Type.Array(keptDataSchema, { description: 'What the service keeps and for how long.' }),
});

/** Who operates a service, under which terms, and what it keeps for how long. */
export type About = Type.Static<typeof aboutSchema>;

/** A kind of data that the service keeps. */
export type KeptData = Type.Static<typeof keptDataSchema>;
