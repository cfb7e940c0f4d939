import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../support/api-client';
import { type AttachmentsApp, createAttachmentsApp, upload } from '../support/attachments';

describe('ATTACHMENT_SCAN_URL', () => {
  let scanner: Server;
  let test: AttachmentsApp;
  let api: ApiClient;
  let received: string[];
  let traces: unknown[];
  let status: number | undefined;
  beforeAll(async () => {
    scanner = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push(
          `${request.method} ${request.headers['content-length']} ${Buffer.concat(chunks).toString()}`,
        );
        traces.push(request.headers.traceparent);
        if (status === undefined) request.socket.destroy();
        else response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve));
    const { port } = scanner.address() as AddressInfo;
    test = await createAttachmentsApp({ ATTACHMENT_SCAN_URL: `http://127.0.0.1:${port}/scan` });
    api = await test.api.as({ id: 1 });
  });
  beforeEach(() => {
    received = [];
    traces = [];
  });
  afterAll(async () => {
    await test.close();
    scanner.closeAllConnections();
    scanner.close();
  });

  it.each([
    [200, 200, '操作成功'],
    [406, 422, 'file 取值无效'],
    [500, 503, '服务暂不可用'],
    [undefined, 503, '服务暂不可用'],
  ])(
    'receives every file, and its response %s makes that of the upload %s',
    async (scanned, expected, message) => {
      const before = test.storedFiles().length;
      status = scanned;
      expect(await upload(api, 'file', 'hello')).toMatchObject({ status: expected, body: { message } });
      expect(received).toEqual(['POST 5 hello']);
      expect(test.storedFiles()).toHaveLength(before + (expected === 200 ? 1 : 0));
    },
  );

  it('receives the trace of the upload', async () => {
    status = 200;
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(await upload(api.with({ traceparent }), 'file', 'hello')).toMatchObject({ status: 200 });
    expect(traces).toEqual([
      expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[\da-f]{16}-01$/),
    ]);
  });
});
