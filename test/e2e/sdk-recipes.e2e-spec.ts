import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually, ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';

/** Returns the program of docs/sdks.md, which prints each event until `call.ended`. */
function pythonProgram(): string {
  const [, code = ''] = /^```python\n([^]*?)^```$/m.exec(readFileSync('docs/sdks.md', 'utf8')) ?? [];
  return `${code}
import os
is_over = False

def show(event):
    global is_over
    is_over = event["type"] == "call.ended"
    print(event["type"], flush=True)

follow_events(os.environ["URL"], lambda: os.environ["TOKEN"], show, "0", lambda: is_over)
`;
}

describe('The Python program of docs/sdks.md', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(database.url);
  });
  afterAll(async () => {
    await service?.kill();
    await database.drop();
  });

  it('follows the events of a call through a restart of the service, each once', async () => {
    await service.send(2, 'GET', '/api/calls/active');
    const python = spawn('python3', ['-c', pythonProgram()], {
      env: { PATH: process.env.PATH, URL: service.url, TOKEN: await signToken({ sub: '2' }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(python, 'exit');
    const lines: string[] = [];
    createInterface({ input: python.stdout }).on('line', (line) => lines.push(line));
    const { data } = await service.send(1, 'POST', '/api/calls', { callee_id: 2 });
    const call = `/api/calls/${(data as { call_id: number }).call_id}`;
    await eventually(
      async () => lines,
      ({ length }) => length === 1,
    );
    await service.kill();
    await service.startAgain();
    await service.send(2, 'POST', `${call}/accept`, { terminal_id: 'phone' });
    await service.send(1, 'POST', `${call}/hangup`, {});
    expect(await ended).toEqual([0, null]);
    expect(lines).toEqual(['call.ringing', 'call.accepted', 'call.answered_elsewhere', 'call.ended']);
  });
});
