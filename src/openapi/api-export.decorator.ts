import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiProduces, ApiResponse } from '@nestjs/swagger';
import { RawResponse } from '../common/http/response.decorators';
import { SendsHeaders } from './response-headers';

/**
 * `@ApiExport()`: documents a success, HTTP 200 with rows as NDJSON or CSV, streamed by `exportRows`. Errors before the
 * first byte use the envelope.
 */
export const ApiExport = (order = 'newest first'): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    RawResponse({ isStreamed: true }),
    ApiProduces('application/x-ndjson', 'text/csv'),
    ApiResponse({
      status: 200,
      description: `One row per line, ${order}: JSON, or CSV with a BOM, a header line and CRLF. If the connection breaks, the export has failed`,
      content: {
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
    SendsHeaders('Cache-Control', 'Content-Disposition'),
  );
