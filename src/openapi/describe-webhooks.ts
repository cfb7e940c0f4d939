import type { OpenAPIObject } from '@nestjs/swagger';
import { type ParameterObject, pascalCase, type Schema, type SchemaObject } from './document-types';
import { referenceTo } from './envelope-schemas';

/** Headers of a webhook request (Standard Webhooks): description and example by name. */
export const WEBHOOK_HEADERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  'webhook-id': ['The `id` of the event, the same in every attempt', 'msg_5f0c2b7e9d1a4c3f'],
  'webhook-timestamp': ['Time of the attempt in seconds since 1970', '1769846400'],
  'webhook-signature': [
    'Signatures separated by spaces: `v1,` and the base64 of an HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  traceparent: [
    'W3C Trace Context, if the request that caused the event had one',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ],
};

/** Returns whether every webhook request has the header: `traceparent` depends on the request that caused the event. */
export const isRequiredWebhookHeader = (name: string): boolean => name !== 'traceparent';

/** Returns the name of the body's schema: `CallEndedWebhook` for `call.ended`. */
const nameOf = (type: string): string => `${pascalCase(type)}Webhook`;

/** Returns the schemas of the bodies by name, with `data` as a schema of its own. */
export function webhookComponents(bodies: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const named = Object.entries(bodies).flatMap(([type, body]): [string, Schema][] => {
    const { properties = {}, ...rest } = body as SchemaObject;
    const { data = {} } = properties;
    const name = nameOf(type);
    return [
      [name, { ...rest, properties: { ...properties, data: referenceTo(`${name}Data`) } }],
      [`${name}Data`, data],
    ];
  });
  return Object.fromEntries(named);
}

/** Adds the requests that the service sends to webhook endpoints, by event type (API 14.3). */
export function describeWebhooks(document: OpenAPIObject, types: readonly string[]): OpenAPIObject {
  const parameters = Object.entries(WEBHOOK_HEADERS).map(
    ([name, [description, example]]): ParameterObject => ({
      name,
      in: 'header',
      required: isRequiredWebhookHeader(name),
      description: `${description}.`,
      schema: { type: 'string' },
      example,
    }),
  );
  const webhooks = types.map((type) => {
    const name = nameOf(type);
    const post = {
      operationId: `on${name}`,
      summary: `The event \`${type}\``,
      tags: ['Webhooks'],
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema: referenceTo(name) } } },
      responses: { '2XX': { description: 'Delivered; with any other status the service tries again' } },
    };
    return [type, { post }] as const;
  });
  return { ...document, webhooks: Object.fromEntries(webhooks) };
}
