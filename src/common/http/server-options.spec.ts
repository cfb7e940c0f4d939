import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { QueryFailedError } from 'typeorm';
import { loadConfig } from '../../config/config';
import { serverOptions } from './server-options';

describe('The log', () => {
  it('shows no tokens, and nothing of what a failed statement carried', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const options = serverOptions(loadConfig({ NODE_ENV: 'test' }));
    const { log } = Fastify({ logger: { ...(options.logger as object), stream } });
    const refused = Object.assign(new Error('ECONNREFUSED'), { sql: "INSERT … 'secret-hash'" });
    const failed = new QueryFailedError('INSERT INTO t VALUES (?)', ['secret-hash'], refused);
    log.error({ err: failed, req: { headers: { authorization: 'Bearer secret-token' } } }, 'request failed');
    const line = lines.join('');
    expect(line).toContain('INSERT INTO t');
    expect(line).toContain('ECONNREFUSED');
    expect(line).not.toContain('secret');
  });
});
