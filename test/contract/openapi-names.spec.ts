import {
  type ApiDocument,
  documentOf,
  type Operation,
  operationsIn,
  partOf,
  withoutWords,
} from '../support/api-document';
import { FIRST_OPERATIONS, OPERATIONS_9_TO_18 } from '../support/operation-ids';
import { ServiceProcess } from '../support/service-process';

/** Maximum size of the description of the first operations, without descriptions and examples (API 16.4). */
const MAX_BYTES = 135_168;

/** What generated code is made of. */
describe('The OpenAPI document, for generators,', () => {
  let service: ServiceProcess;
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    service = await ServiceProcess.start('sqlite::memory:', { MEDIA_PROVIDER: 'webrtc' });
    document = await documentOf(service.url);
    operations = operationsIn(document);
  });
  afterAll(() => service?.stop());

  it('describes the first operations in less than 132 KiB', () => {
    const part = JSON.stringify(withoutWords(partOf(document, FIRST_OPERATIONS)));
    expect(part).toContain('/api/calls/{callId}/accept');
    expect(part).toContain('"X-Pinned-Count"');
    expect(part).not.toContain('"example"');
    expect(Buffer.byteLength(part)).toBeLessThan(MAX_BYTES);
  });

  it('names operations like functions', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.toSorted()).toEqual([...FIRST_OPERATIONS, ...OPERATIONS_9_TO_18].toSorted());
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('names schemas by one convention', () => {
    const names = Object.keys(document.components.schemas);
    const odd = names.filter(
      (name) =>
        !/^(?:[A-Z][a-z]+)+(?:Request|Response|Event|Pagination|Page|Envelope|Webhook|WebhookData)$/.test(
          name,
        ),
    );
    expect(odd).toEqual([]);
  });

  it('describes every tag, and has no empty one', () => {
    const used = new Set(operations.flatMap(([, { tags = [] }]) => tags));
    const described = document.tags
      .filter(({ description }) => description.length > 20)
      .map(({ name }) => name);
    // The built-in media provider posts nothing.
    expect(described.toSorted()).toEqual([...used, 'Media webhooks'].toSorted());
  });

  it('states its licence and server', () => {
    expect(document.info.license).toEqual({ name: 'MIT', url: 'https://opensource.org/license/mit' });
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
  });
});
