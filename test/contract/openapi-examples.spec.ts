import {
  type ApiDocument,
  documentOf,
  nameOf,
  type Operation,
  operationsIn,
  type Parameter,
} from '../support/api-document';
import { PushProviders } from '../support/push-providers';
import { ServiceProcess } from '../support/service-process';

/** Ids of an administrator and two users of the demo data. */
const [ADMIN, ALICE, BOB] = [1, 2, 3];
/** Operations that are not requested: they stay open, return no envelope, or receive a form. */
const LEFT_OUT = new Set(['streamEvents', 'watchPresence', 'exportAudit', 'uploadAttachment']);
/** Requires one of two parameters. */
const ONE_OF_TWO = 'GET /api/presence';
/** Parameters that are valid only with another one. */
const WITH: Record<string, string> = { object_id: 'object_type' };

/**
 * The examples of parameters and bodies, sent to a service with the demo data in which Alice has called Bob and written to
 * him.
 */
describe('The examples of the OpenAPI document', () => {
  let providers: PushProviders;
  let service: ServiceProcess;
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    providers = await PushProviders.open();
    const env = {
      ...providers.env,
      DEMO_DATA: 'on',
      MEDIA_PROVIDER: 'webrtc',
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    };
    service = await ServiceProcess.start('sqlite::memory:', env);
    document = await documentOf(service.url);
    operations = operationsIn(document).filter(
      ([name, { operationId }]) => name.includes(' /api/') && !LEFT_OUT.has(operationId),
    );
    const call = await service.send(ALICE, 'POST', '/api/calls', { callee_id: BOB });
    await service.send(ALICE, 'POST', `/api/calls/${call.data.call_id}/cancel`);
    const opened = { type: 'single', peer_id: BOB };
    const { data } = await service.send(ALICE, 'POST', '/api/messages/conversations', opened);
    const text = { type: 'text', content: '你好' };
    await service.send(ALICE, 'POST', `/api/messages/conversations/${data.id}/messages`, text);
    const endpoint = { url: 'http://127.0.0.1:9/', event_types: ['call.ended'] };
    await service.send(ADMIN, 'POST', '/api/admin/webhooks', endpoint, 'admin');
    await service.send(ADMIN, 'POST', '/api/admin/webhooks/1/test', undefined, 'admin');
    // Only users who have logged in have sessions.
    const login = { account: 'alice', password: 'callboard-demo' };
    await service.send(ALICE, 'POST', '/api/auth/login', login);
  });
  afterAll(async () => {
    await service?.stop();
    await providers?.close();
  });

  const operationsWith = (method: string) => operations.filter(([name]) => name.startsWith(method));

  const filled = (name: string, parameters: Parameter[]): string => {
    const [, path = ''] = name.split(' ');
    return path.replaceAll(/\{(\w+)\}/g, (_, id) =>
      String(parameters.find((parameter) => parameter.in === 'path' && parameter.name === id)?.example),
    );
  };

  async function send(name: string, { parameters = [], requestBody }: Operation, query = '') {
    const [method = ''] = name.split(' ');
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema?.$ref && document.components.schemas[nameOf(schema.$ref)]?.example;
    const file = requestBody?.content['text/csv']?.schema?.example;
    const isAdmin = name.includes(' /api/admin/');
    // The callee has the missed call.
    const user = isAdmin ? ADMIN : name.includes(' /api/notifications') ? BOB : ALICE;
    const path = filled(name, parameters) + query;
    return service.send(
      user,
      method,
      path,
      (file ?? body) as object | string | undefined,
      isAdmin ? 'admin' : 'user',
    );
  }

  it('match the fields that they name', async () => {
    const problems: string[] = [];
    for (const [name, operation] of operationsWith('GET ')) {
      const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const textOf = (some: Parameter[]): string =>
        some
          .map((parameter) => `${parameter.name}=${encodeURIComponent(String(parameter.example))}`)
          .join('&');
      const required = queries.filter((parameter) => parameter.required);
      const optional = queries.filter((parameter) => !parameter.required);
      const asked = optional.map((parameter) => {
        const beside = optional.filter(({ name: other }) => other === WITH[parameter.name]);
        return textOf([...required, ...beside, parameter]);
      });
      if (name !== ONE_OF_TWO) asked.push(textOf(required));
      for (const query of asked) {
        const { code, message } = await send(name, operation, `?${query}`);
        if (code !== 0) problems.push(`${name}?${query}: ${code} ${message}`);
      }
    }
    expect(problems).toEqual([]);
  });

  it('are accepted by the service as request bodies', async () => {
    const problems: string[] = [];
    // Creating operations come before deleting ones.
    for (const [name, operation] of ['POST ', 'PUT ', 'DELETE '].flatMap(operationsWith)) {
      const { code, message } = await send(name, operation);
      if ([400, 415, 422, 500].includes(code)) problems.push(`${name}: ${code} ${message}`);
    }
    expect(problems).toEqual([]);
  });
});
