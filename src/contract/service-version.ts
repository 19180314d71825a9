import Type from 'typebox';

/** The body of `GET /version`. */
export const serviceVersionSchema = Type.Object({
  version: Type.String({ description: 'Version of the software.' }),
  extractionApi: Type.String({ description: 'Version in the paths of the extraction API.' }),
  renderApi: Type.String({ description: 'Version in the paths of the render API.' }),
});

/** See {@link serviceVersionSchema}. */
export type ServiceVersion = Type.Static<typeof serviceVersionSchema>;
