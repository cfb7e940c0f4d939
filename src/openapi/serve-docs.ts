import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../../package.json';
import { makeExact } from './exact-schemas';
import { addSharedErrors } from './shared-errors';

/** The OpenAPI document of the whole service; its version is the package's. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Callboard')
    .setDescription(
      'Calls, messages, notifications and device groups. Every answer is `{code, message, data}`.',
    )
    .setVersion(version)
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, about, { operationIdFactory: nameOperation });
  return addSharedErrors(makeExact(document));
}

/** `Calls.accept`: no two operations share a name. */
const nameOperation = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}.${method}`;

/** Serves the document at `/docs-json` and its page at `/docs`. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Callboard API',
    swaggerOptions: { persistAuthorization: true, tagsSorter: 'alpha' },
  });
}
