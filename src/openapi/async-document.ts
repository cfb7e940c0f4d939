import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema, SchemaObject } from './document-types';
import { referenceTo } from './envelope-schemas';

/** A JSON Schema, or any part of one. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;
type Message = JsonObject & { name: string };

/** Headers of a webhook request (Standard Webhooks). */
const WEBHOOK_HEADERS: JsonObject = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'The `id` of the event, the same in every attempt' },
    'webhook-timestamp': { type: 'string', description: 'Time of the attempt in seconds since 1970' },
    'webhook-signature': {
      type: 'string',
      description:
        'Signatures separated by spaces: `v1,` and the base64 of an HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`',
    },
  },
};

/**
 * Builds the AsyncAPI 3.0 document of the event stream, the presence stream and the webhooks, from the schemas of the
 * OpenAPI document.
 * @param webhooks schemas of the bodies of webhooks by event type
 */
export function describeAsyncApi(
  { info, components }: OpenAPIObject,
  webhooks: Readonly<Record<string, Schema>>,
): JsonObject {
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const { discriminator } = schemas.UserEvent as SchemaObject;
  const events = Object.entries(discriminator?.mapping ?? {}).map(([type, $ref]) => message(type, { $ref }));
  const presence = message('presence', referenceTo('PresenceItemResponse'));
  const hooks = Object.entries(webhooks).map(([type, schema]) =>
    message(type, schema, { headers: WEBHOOK_HEADERS }),
  );
  const channels = {
    userEvents: channel('/api/events', 'Events of the user, as Server-Sent Events', events),
    presence: channel('/api/presence/stream', 'Presence of users, as Server-Sent Events', [presence]),
    webhooks: channel(null, 'Requests to the URL of a webhook endpoint', hooks),
  };
  const payloads = [...events, presence, ...hooks];
  return {
    asyncapi: '3.0.0',
    info: {
      title: info.title,
      version: info.version,
      description: 'Events of the service. Its requests are in the OpenAPI document at `/docs-json`.',
      ...(info.license && { license: { ...info.license } }),
    },
    defaultContentType: 'application/json',
    channels,
    operations: Object.fromEntries(
      Object.keys(channels).map((name) => [
        name,
        { action: 'send', channel: { $ref: `#/channels/${name}` } },
      ]),
    ),
    components: { schemas: reachableSchemas(payloads, schemas) },
  };
}

/** Returns a message; its name is the type of the event. */
function message(type: string, payload: Schema, more: JsonObject = {}): Message {
  return { name: type, ...more, payload: toJsonSchema(payload as Json) };
}

function channel(address: string | null, description: string, messages: Message[]): JsonObject {
  // Keys of messages must not contain dots.
  const named = messages.map((item) => [item.name.replaceAll('.', '_'), item] as const);
  return { address, description, messages: Object.fromEntries(named) };
}

/** Returns the schemas that the messages refer to, directly or not. */
function reachableSchemas(messages: JsonObject[], schemas: Readonly<Record<string, Schema>>): JsonObject {
  const found: JsonObject = {};
  const visit = (part: Json): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (name in found || schema === undefined) continue;
      const converted = toJsonSchema(schema as Json);
      found[name] = converted;
      visit(converted);
    }
  };
  visit(messages);
  return found;
}

/**
 * Converts a schema of OpenAPI 3.0 into JSON Schema: `nullable` becomes the type `null`, `example` becomes `examples`,
 * and a discriminator is the name of its property.
 */
function toJsonSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (schema === null || typeof schema !== 'object') return schema;
  const { nullable, example, discriminator, properties, ...rest } = schema;
  const converted: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'enum' ? value : toJsonSchema(value)]),
  );
  if (properties !== undefined) {
    // Names of properties are not keywords.
    const fields = Object.entries(properties as JsonObject);
    converted.properties = Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)]));
  }
  if (example !== undefined) converted.examples = [example];
  if (discriminator !== undefined)
    converted.discriminator = (discriminator as JsonObject).propertyName ?? null;
  if (nullable !== true) return converted;
  if (typeof converted.type !== 'string') return { anyOf: [converted, { type: 'null' }] };
  const { enum: values } = converted;
  return {
    ...converted,
    type: [converted.type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}
