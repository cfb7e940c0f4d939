import { ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/**
 * `@RequestExample({ type: 'single', peer_id: 3 })`: a complete valid body, for classes whose fields exclude each
 * other. For other classes the example is built from those of the fields.
 */
export const RequestExample = (example: Readonly<Record<string, unknown>>): ClassDecorator =>
  ApiSchema({ example } as ApiSchemaOptions);
