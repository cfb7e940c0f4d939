import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { EVENT_TYPES } from '../../src/events/dto/event-schemas';
import { DOMAIN_EVENT_TYPES } from '../../src/outbox/domain-event-types';
import { ServiceProcess } from '../support/service-process';

interface Message {
  name: string;
  payload: object;
  headers?: { required: string[]; properties: object };
}

interface AsyncApiDocument {
  channels: Record<string, { address: string | null; messages: Record<string, Message> }>;
  operations: Record<string, { action: string }>;
  components: { schemas: Record<string, object> };
}

/** The official JSON schema of AsyncAPI 3.0. */
const SPECIFICATION = JSON.parse(
  readFileSync('node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json', 'utf8'),
) as object;

describe('The AsyncAPI document', () => {
  let service: ServiceProcess;
  let document: AsyncApiDocument;
  beforeAll(async () => {
    service = await ServiceProcess.start('sqlite::memory:', { MEDIA_PROVIDER: 'webrtc' });
    document = (await (await fetch(`${service.url}/asyncapi-json`)).json()) as AsyncApiDocument;
  });
  afterAll(() => service?.stop());

  const namesIn = (channel: string): string[] =>
    Object.values(document.channels[channel]?.messages ?? {}).map(({ name }) => name);

  /** Returns the validation errors of a value by the payload of a message. */
  function errorsOf(channel: string, key: string, value: unknown): unknown {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', ...document });
    ajv.validate(`document#/channels/${channel}/messages/${key}/payload`, value);
    return ajv.errors;
  }

  it('is valid by the schema of the specification', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    ajv.validate(SPECIFICATION, document);
    expect(ajv.errors).toBeNull();
    ajv.validate(SPECIFICATION, { ...document, channels: { userEvents: { adress: 1 } } });
    expect(ajv.errors).not.toBeNull();
  });

  it('contains every type of event, and the webhooks with the headers of their signature', () => {
    expect(namesIn('userEvents').toSorted()).toEqual([...EVENT_TYPES, 'resync'].toSorted());
    expect(namesIn('presence')).toEqual(['presence']);
    expect(namesIn('webhooks')).toEqual([...DOMAIN_EVENT_TYPES]);
    expect(document.channels.webhooks?.messages.call_ended?.headers?.required).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(document.channels.webhooks?.messages.call_ended?.headers?.properties).toHaveProperty(
      'traceparent',
    );
    expect(Object.values(document.channels).map(({ address }) => address)).toEqual([
      '/api/events',
      '/api/presence/stream',
      null,
    ]);
  });

  it('contains every schema that it refers to, and no keyword of OpenAPI 3.0', () => {
    const text = JSON.stringify(document);
    const names = new Set(
      Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = '']) => name),
    );
    expect([...names].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    expect(text).not.toContain('"nullable":');
  });

  it('accepts the events of a call, and rejects one without its call', async () => {
    await service.send(2, 'GET', '/api/calls/active');
    await service.send(1, 'POST', '/api/calls', { callee_id: 2 });
    const { data } = await service.send(2, 'GET', '/api/events/poll?after=0');
    const [ringing] = (data as { items: { type: string }[] }).items;
    expect(ringing?.type).toBe('call.ringing');
    expect(errorsOf('userEvents', 'call_ringing', ringing)).toBeNull();
    expect(errorsOf('userEvents', 'call_ringing', { ...ringing, call: undefined })).not.toBeNull();
  });
});
