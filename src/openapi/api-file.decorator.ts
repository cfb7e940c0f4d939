import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { ApiErrors } from './api-envelope.decorator';
import { headersOf } from './response-headers';

const BYTES = { schema: { type: 'string', format: 'binary' } } as const;

/** A response with bytes of a file; the media type of a picture or recording is that of its bytes. */
const bytes = (status: number, description: string): MethodDecorator =>
  ApiResponse({
    status,
    description,
    headers: headersOf(['Cache-Control', 'ETag', 'Content-Disposition']),
    content: {
      'application/octet-stream': BYTES,
      'image/*': BYTES,
      'audio/*': BYTES,
      'video/*': BYTES,
    },
  });

/** `@ApiFile()`: documents the responses of a signed URL. Errors use the envelope. */
export const ApiFile = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes; for several, the whole file is sent',
      schema: { type: 'string', maxLength: 100, example: 'bytes=0-1023' },
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETag of the file that the client has',
      schema: { type: 'string', example: '"0f8fad5bd9cb469fa16570867728950e"' },
    }),
    bytes(200, 'The file'),
    bytes(206, 'A range of the file'),
    ApiResponse({
      status: 302,
      description: 'The file is in a bucket: a URL that is valid for 300 s',
      headers: headersOf(['Cache-Control']),
    }),
    ApiResponse({
      status: 304,
      description: 'The file that the client has is the current one',
      headers: headersOf(['Cache-Control', 'ETag']),
    }),
    ApiResponse({ status: 416, description: 'The range begins after the end of the file' }),
    ApiErrors('FORBIDDEN', 'ATTACHMENT_NOT_FOUND'),
  );
