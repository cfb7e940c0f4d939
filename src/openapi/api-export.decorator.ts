import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiProduces, ApiResponse } from '@nestjs/swagger';
import { RawResponse } from '../common/http/response.decorators';
import { SendsHeaders } from './answer-headers';

/**
 * `@ApiExport()`: a success is HTTP 200 with rows as ndjson or CSV, as `exportRows` streams them; errors before the first
 * byte are in the envelope.
 */
export const ApiExport = (order = 'newest first'): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    RawResponse({ isStreamed: true }),
    ApiProduces('application/x-ndjson', 'text/csv'),
    ApiResponse({
      status: 200,
      description: `A row a line, ${order}: JSON, or CSV with a BOM, a header and CRLF. A connection that breaks is a failed export`,
      content: {
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
    SendsHeaders('Cache-Control', 'Content-Disposition'),
  );
