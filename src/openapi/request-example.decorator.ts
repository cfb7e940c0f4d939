import { ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/**
 * `@RequestExample({ type: 'single', peer_id: 3 })`: a whole body that the service takes, for classes whose fields are
 * not all meant together. Any other has one made of the examples of its fields.
 */
export const RequestExample = (example: Readonly<Record<string, unknown>>): ClassDecorator =>
  ApiSchema({ example } as ApiSchemaOptions);
