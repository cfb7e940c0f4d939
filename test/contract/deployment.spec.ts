import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The lines of a service's `environment` in compose.yaml: the variable's name and its value. */
function environment(): Map<string, string> {
  const [, callboard = ''] =
    /^ {2}callboard:\n((?: {4}.*\n)+)/m.exec(readFileSync('compose.yaml', 'utf8')) ?? [];
  const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(callboard) ?? [];
  const lines = Array.from(
    block.matchAll(/^ {6}([A-Z_]+): (.*)$/gm),
    ([, name = '', value = '']) => [name, value] as const,
  );
  return new Map(lines);
}

/** Every variable of the configuration, in alphabetical order. Another test compares this file with the code. */
function variables(): string[] {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm);
  return Array.from(lines, ([, name = '']) => name).toSorted();
}

describe('compose.yaml', () => {
  it('passes on every configuration variable, and the key of S3', () => {
    expect(variables().length).toBeGreaterThan(30);
    const expected = [...variables(), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].toSorted();
    expect([...environment().keys()].toSorted()).toEqual(expected);
  });

  it('lets the service write uploaded files', () => {
    expect(readFileSync('compose.yaml', 'utf8')).toContain("volumes: ['attachments:/app/data']");
  });

  it('lets the service report missing variables, and accepts any media provider', () => {
    const required = Array.from(environment()).filter(([, value]) => value.includes(':?'));
    expect(required.map(([name]) => name)).toEqual([]);
    expect(environment().get('MEDIA_PROVIDER')).toBe('${MEDIA_PROVIDER:-}');
    expect(environment().get('LIVEKIT_URL')).toBe('${LIVEKIT_URL:-}');
  });

  it('restarts the service when it exits, and lets it shut down gracefully', () => {
    const text = readFileSync('compose.yaml', 'utf8');
    expect(text).toContain('restart: unless-stopped');
    expect(text).toContain('stop_grace_period: 15s');
  });

  it('gives the service no capability, no new privilege and a read-only file system', () => {
    const [, callboard = ''] =
      /^ {2}callboard:\n((?: {4}.*\n)+)/m.exec(readFileSync('compose.yaml', 'utf8')) ?? [];
    expect(callboard.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        'read_only: true',
        'cap_drop: [ALL]',
        "security_opt: ['no-new-privileges:true']",
        "tmpfs: ['/tmp:size=16m,noexec,nosuid,nodev']",
      ]),
    );
    expect(callboard).not.toMatch(/privileged|cap_add|user: root/);
  });
});

describe('The TURN server of compose.yaml', () => {
  const settings = readFileSync('deploy/coturn/turnserver.conf', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  it('accepts the credentials of media tokens, and relays to no private network', () => {
    expect(settings).toEqual(
      expect.arrayContaining([
        'use-auth-secret',
        'no-cli',
        'no-multicast-peers',
        'user-quota=16',
        'total-quota=1200',
        'denied-peer-ip=10.0.0.0-10.255.255.255',
        'denied-peer-ip=127.0.0.0-127.255.255.255',
        'denied-peer-ip=169.254.0.0-169.254.255.255',
        'denied-peer-ip=172.16.0.0-172.31.255.255',
        'denied-peer-ip=192.168.0.0-192.168.255.255',
        'denied-peer-ip=::1',
        'denied-peer-ip=fc00::-fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      ]),
    );
    expect(settings.filter((line) => /secret=|realm=|loopback|allowed-peer/.test(line))).toEqual([]);
  });

  it('starts only with its profile, with the secret of the service', () => {
    const [, coturn = ''] = /^ {2}coturn:\n((?: {4}.*\n)+)/m.exec(readFileSync('compose.yaml', 'utf8')) ?? [];
    expect(coturn).toContain('profiles: [webrtc]');
    expect(coturn).toContain('TURN_SECRET: ${TURN_SECRET:-}');
    expect(coturn).toContain('./deploy/coturn/turnserver.conf:/etc/coturn/turnserver.conf:ro');
    expect(coturn).toContain('-ge 16');
  });
});

describe('The container image', () => {
  it('is built from every workspace, and contains the web app without its packages', () => {
    const file = readFileSync('Dockerfile', 'utf8');
    const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] };
    for (const manifest of globSync(workspaces.map((workspace) => `${workspace}/package.json`)))
      expect(file).toContain(`COPY ${manifest} ./${dirname(manifest)}/\n`);
    expect(file.match(/^COPY --from=.*$/gm)).toEqual([
      'COPY --from=dependencies /app/node_modules ./node_modules',
      'COPY --from=build /app/dist ./dist',
    ]);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    for (const name of ['react', 'react-dom', 'i18next', 'vite', 'rolldown'])
      expect([name, packages[`node_modules/${name}`]?.dev]).toEqual([name, true]);
  });

  it('runs as the user node, who can write only to /app/data', () => {
    const stage =
      readFileSync('Dockerfile', 'utf8')
        .split(/^FROM /m)
        .at(-1) ?? '';
    expect(stage.match(/^USER .*$/gm)).toEqual(['USER node']);
    expect(stage.match(/^.*ch(?:own|mod).*$/gm)).toEqual(['RUN mkdir data && chown node:node data']);
  });

  it('is built without files private to a machine', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*', 'data', '.git', '**/node_modules']));
  });
});
