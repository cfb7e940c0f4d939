import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema, SchemaObject } from './document-types';
import { isRequiredWebhookHeader, WEBHOOK_HEADERS } from './describe-webhooks';
import { referenceTo } from './envelope-schemas';
import { type Json, mapped } from './to-openapi-31';

type JsonObject = Record<string, Json>;
type Message = JsonObject & { name: string };

const HEADERS: JsonObject = {
  type: 'object',
  required: Object.keys(WEBHOOK_HEADERS).filter(isRequiredWebhookHeader),
  properties: Object.fromEntries(
    Object.entries(WEBHOOK_HEADERS).map(([name, [description]]) => [name, { type: 'string', description }]),
  ),
};

/**
 * Builds the AsyncAPI 3.0 document of the event stream, the presence stream and the webhooks, from the OpenAPI 3.1
 * document.
 */
export function describeAsyncApi({ info, components, webhooks = {} }: OpenAPIObject): JsonObject {
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const { discriminator } = schemas.UserEvent as SchemaObject;
  const events = Object.entries(discriminator?.mapping ?? {}).map(([type, $ref]) => message(type, { $ref }));
  const presence = message('presence', referenceTo('PresenceItemResponse'));
  const hooks = Object.entries(webhooks).map(([type, item]) =>
    message(type, bodyOf(item), { headers: HEADERS }),
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

/** Returns the schema of the body of a webhook. */
function bodyOf(item: NonNullable<OpenAPIObject['webhooks']>[string]): Schema {
  const body = '$ref' in item ? undefined : item.post?.requestBody;
  return (body && !('$ref' in body) && body.content['application/json']?.schema) || {};
}

/**
 * Converts a schema of OpenAPI 3.1 into JSON Schema: `example` becomes `examples`, and a discriminator is the name of its
 * property.
 */
function toJsonSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (schema === null || typeof schema !== 'object') return schema;
  const { example, discriminator, properties, ...rest } = schema;
  const converted = mapped(rest, (value, name) => (name === 'enum' ? value : toJsonSchema(value)));
  // Names of properties are not keywords.
  if (properties !== undefined) converted.properties = mapped(properties as JsonObject, toJsonSchema);
  if (example !== undefined) converted.examples = [example];
  if (discriminator !== undefined)
    converted.discriminator = (discriminator as JsonObject).propertyName ?? null;
  return converted;
}
