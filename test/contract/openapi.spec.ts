import Ajv from 'ajv';
import { version } from '../../package.json';
import { EVENT_TYPES } from '../../src/events/dto/event-schemas';
import { ServiceProcess } from '../support/service-process';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  type?: string;
}
interface PollItems {
  items: { oneOf: Schema[]; discriminator: { propertyName: string; mapping: Record<string, string> } };
}
interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  requestBody?: object;
  parameters?: object[];
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The document of the service as it was built: the OpenAPI plugin works at build time. */
describe('The OpenAPI document', () => {
  let document: Document;
  let operations: [name: string, operation: Operation][];
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await ServiceProcess.start('sqlite::memory:');
    document = (await (await fetch(`${service.url}/docs-json`)).json()) as Document;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });
  afterAll(() => service?.stop());

  const namesOf = (wrong: (operation: Operation, name: string) => boolean): string[] =>
    operations.filter(([name, operation]) => wrong(operation, name)).map(([name]) => name);
  const inApi = (name: string): boolean => name.includes(' /api/');

  it('has the version of the package', () => {
    expect(document.info.version).toBe(version);
  });

  it('says of every operation what it does, under a heading', () => {
    expect(namesOf(({ summary, tags }) => !summary || !tags?.length)).toEqual([]);
  });

  it('gives every operation a name of its own', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  it('names one success, HTTP 200, for every operation', () => {
    const successes = ({ responses }: Operation): string[] =>
      Object.keys(responses).filter((status) => status < '300');
    expect(namesOf((operation) => successes(operation).join() !== '200')).toEqual([]);
  });

  it('describes every answer below /api as an envelope', () => {
    const isEnvelope = (schema?: Schema): boolean =>
      Object.keys(schema?.properties ?? {}).join() === 'code,message,data';
    const schemasOf = ({ responses }: Operation) =>
      Object.values(responses)
        // The event stream is outside the envelope (contract 1.1); its errors are not. A 304 has no body.
        .filter(({ content }) => content && !content['text/event-stream'])
        .map(({ content }) => content?.['application/json']?.schema);
    expect(namesOf((operation, name) => inApi(name) && !schemasOf(operation).every(isEnvelope))).toEqual([]);
  });

  it('tells every operation the errors that it shares with the others', () => {
    /** A provider's notice is judged by its signature alone. */
    const isNotice = (name: string): boolean => name.includes('/webhooks/');
    const missing = ({ responses, security, requestBody, parameters = [] }: Operation): boolean => {
      const wanted = ['429', '500', '503'];
      const isPublic = security?.every((requirement) => Object.keys(requirement).length === 0) ?? false;
      if (!isPublic) wanted.push('401');
      if (requestBody || parameters.length > 0) wanted.push('422');
      if (requestBody) wanted.push('400', '413', '415');
      return wanted.some((status) => !(status in responses));
    };
    expect(namesOf((operation, name) => inApi(name) && !isNotice(name) && missing(operation))).toEqual([]);
  });

  it('knows that numbers are whole', () => {
    expect(JSON.stringify(document)).not.toContain('"type":"number"');
  });

  it('lists fields in the order of the specification, with what they may hold', () => {
    expect(document.components.schemas.ConversationResponse?.properties).toMatchObject({
      id: { type: 'integer', minimum: 1 },
      type: { type: 'string', enum: expect.arrayContaining(['single', 'group']) },
      member_count: { type: 'integer', minimum: 0, nullable: true },
      last_message_at: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$` },
      message_type: { nullable: true, enum: expect.arrayContaining(['text', null]) },
    });
    const fields = (name: string): string =>
      Object.keys(document.components.schemas[name]?.properties ?? {}).join(' ');
    expect(fields('DeviceGroupNodeResponse')).toBe(
      'id name description parent_id sort_order status children',
    );
    expect(fields('AcceptedCallResponse')).toBe(
      'call_id status channel_name app_id callee_uid rtc_token expire_at version',
    );
  });

  it('knows the fields of every object', () => {
    const empty = Object.entries(document.components.schemas).filter(
      ([, { type, properties }]) => type === 'object' && Object.keys(properties ?? {}).length === 0,
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('knows the payload of every type of event, and `resync`, by the discriminator', () => {
    const { items } = (document.components.schemas.PollResponse?.properties?.items ?? {}) as PollItems;
    const { propertyName, mapping } = items.discriminator;
    expect(propertyName).toBe('type');
    expect(Object.keys(mapping)).toEqual([...EVENT_TYPES, 'resync']);
    expect(items.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    expect(mapping['call.answered_elsewhere']).toBe('#/components/schemas/CallAnsweredElsewhereEvent');
    expect(document.components.schemas.CallAnsweredElsewhereEvent).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 0, description: 'The cursor of this event' },
        type: { type: 'string', enum: ['call.answered_elsewhere'] },
        created_at: { type: 'string', format: 'date-time', description: 'When it happened' },
        call: { allOf: [{ $ref: '#/components/schemas/CallResponse' }] },
        terminal_id: { type: 'string' },
      },
      required: ['id', 'type', 'created_at', 'call', 'terminal_id'],
    });
  });

  it('holds schemas that a validator accepts', () => {
    const ajv = new Ajv({ strict: false, formats: { uri: true, 'date-time': true } });
    ajv.addSchema({ $id: 'document', ...document });
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeDefined();
    }
  });
});
