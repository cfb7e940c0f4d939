import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { license, version } from '../../package.json';
import { KEY_SECURITY, TOKEN_SECURITY } from '../common/auth/api-keys/key-scope.decorator';
import type { Config } from '../config/config';
import { describeAsyncApi } from './async-document';
import { addHeaders, headerSchemas } from './response-headers';
import { describeFields } from './describe-fields';
import { describeWebhooks, webhookComponents } from './describe-webhooks';
import type { Schema } from './document-types';
import { SHARED_SCHEMAS } from './envelope-schemas';
import { addErrors } from './error-responses';
import { makeExact } from './exact-schemas';
import { addExamples } from './examples';
import { describeKeys } from './key-scopes';
import { nameResponses } from './name-responses';
import { TAGS } from './tags';
import { toOpenApi31 } from './to-openapi-31';

interface DocumentOptions {
  config: Pick<Config, 'httpStatusMode'>;
  /** Additional schemas that no class defines. */
  schemas: () => Readonly<Record<string, Schema>>;
  /** Schemas of the bodies of webhooks by event type. */
  webhooks: () => Readonly<Record<string, Schema>>;
}

/**
 * Builds the OpenAPI 3.1 document of the service. Its version is that of the package; operation ids are the names of the
 * methods.
 */
function describeApi(
  app: NestFastifyApplication,
  { config, schemas, webhooks }: DocumentOptions,
): OpenAPIObject {
  const alwaysOk = config.httpStatusMode === 'always_200';
  const scanned = SwaggerModule.createDocument(app, baseDocument(), {
    operationIdFactory: (_, method) => method,
  });
  const bodies = webhooks();
  const components = { ...scanned.components, headers: headerSchemas({ alwaysOk }) };
  components.schemas = {
    ...structuredClone(SHARED_SCHEMAS),
    ...components.schemas,
    ...schemas(),
    ...webhookComponents(bodies),
  };
  const document = nameResponses(describeKeys(makeExact({ ...scanned, components })));
  const complete = addHeaders(addErrors(addExamples(describeFields(document)), { alwaysOk }));
  return toOpenApi31(describeWebhooks(complete, Object.keys(bodies)));
}

function baseDocument(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setTitle('Callboard')
    .setDescription(
      'Calls, messages, notifications and device groups. Every response below `/api` is `{code, message, data}`.',
    )
    .setVersion(version)
    .setLicense(license, `https://opensource.org/license/${license.toLowerCase()}`)
    .addServer('/', 'The service that serves this document')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` of the log-in, or a token of an identity provider',
      },
      TOKEN_SECURITY,
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'cbk_…',
        description:
          'API key of an integration with the scope of the operation; operations without a scope do not accept keys',
      },
      KEY_SECURITY,
    )
    .addSecurityRequirements(TOKEN_SECURITY);
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  return builder.build();
}

/**
 * Serves the document at `/docs-json` and `/docs-yaml`, a page for it at `/docs`, and the AsyncAPI document at
 * `/asyncapi-json`. Each is written on the first request, not at the start.
 */
export function serveDocs(app: NestFastifyApplication, options: DocumentOptions): void {
  let api: OpenAPIObject | undefined;
  const describe = (): OpenAPIObject => (api ??= describeApi(app, options));
  const serve = (path: string, type: string, write: () => string): void => {
    let text: string | undefined;
    app.getHttpAdapter().get(path, (_, reply: FastifyReply) => {
      text ??= write();
      void reply.type(`${type}; charset=utf-8`).send(text);
    });
  };
  serve('/docs-json', 'application/json', () => JSON.stringify(describe()));
  serve('/docs-yaml', 'text/yaml', () => dump(describe(), { skipInvalid: true, noRefs: true }));
  serve('/asyncapi-json', 'application/json', () => JSON.stringify(describeAsyncApi(describe())));
  SwaggerModule.setup('docs', app, describe, {
    // Nest would write the documents again for each request.
    raw: false,
    customSiteTitle: 'Callboard API',
    swaggerOptions: { persistAuthorization: true, tagsSorter: 'alpha' },
  });
}
