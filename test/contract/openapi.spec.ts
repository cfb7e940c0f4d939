import Ajv from 'ajv';
import { ServiceProcess } from '../support/service-process';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  type?: string;
}
interface Operation {
  summary?: string;
  tags?: string[];
  security?: object[];
  requestBody?: object;
  parameters?: object[];
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}
interface Document {
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

  it('says of every operation what it does, under a heading', () => {
    expect(namesOf(({ summary, tags }) => !summary || !tags?.length)).toEqual([]);
  });

  it('names one success, HTTP 200, for every operation', () => {
    const successes = ({ responses }: Operation): string[] =>
      Object.keys(responses).filter((status) => status < '400');
    expect(namesOf((operation) => successes(operation).join() !== '200')).toEqual([]);
  });

  it('describes every answer below /api as an envelope', () => {
    const isEnvelope = (schema?: Schema): boolean =>
      Object.keys(schema?.properties ?? {}).join() === 'code,message,data';
    const schemasOf = ({ responses }: Operation) =>
      Object.values(responses)
        // The event stream is outside the envelope (contract 1.1); its errors are not.
        .filter(({ content }) => !content?.['text/event-stream'])
        .map(({ content }) => content?.['application/json']?.schema);
    expect(namesOf((operation, name) => inApi(name) && !schemasOf(operation).every(isEnvelope))).toEqual([]);
  });

  it('tells every operation the errors that it shares with the others', () => {
    const missing = ({ responses, security, requestBody, parameters = [] }: Operation): boolean => {
      const wanted = ['429', '500', '503'];
      const isPublic = security?.every((requirement) => Object.keys(requirement).length === 0) ?? false;
      if (!isPublic) wanted.push('401');
      if (requestBody || parameters.length > 0) wanted.push('422');
      if (requestBody) wanted.push('400', '413', '415');
      return wanted.some((status) => !(status in responses));
    };
    expect(namesOf((operation, name) => inApi(name) && missing(operation))).toEqual([]);
  });

  it('knows the fields of every object', () => {
    const empty = Object.entries(document.components.schemas).filter(
      ([, { type, properties }]) => type === 'object' && Object.keys(properties ?? {}).length === 0,
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('holds schemas that a validator accepts', () => {
    const ajv = new Ajv({ strict: false, formats: { uri: true, 'date-time': true } });
    ajv.addSchema({ $id: 'document', ...document });
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeDefined();
    }
  });
});
