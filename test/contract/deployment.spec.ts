import { readFileSync } from 'node:fs';

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

/** Every variable of the configuration, in alphabetical order; a test of its own ties this file to the code. */
function variables(): string[] {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm);
  return Array.from(lines, ([, name = '']) => name).toSorted();
}

describe('compose.yaml', () => {
  it('passes on every variable of the configuration', () => {
    expect(variables().length).toBeGreaterThan(30);
    expect([...environment().keys()].toSorted()).toEqual(variables());
  });

  it('leaves it to the service to say what is missing, and takes either media provider', () => {
    const required = Array.from(environment()).filter(([, value]) => value.includes(':?'));
    expect(required.map(([name]) => name)).toEqual([]);
    expect(environment().get('MEDIA_PROVIDER')).toBe('${MEDIA_PROVIDER:-}');
    expect(environment().get('LIVEKIT_URL')).toBe('${LIVEKIT_URL:-}');
  });

  it('starts the service again when it ends, and lets it finish what it has begun', () => {
    const text = readFileSync('compose.yaml', 'utf8');
    expect(text).toContain('restart: unless-stopped');
    expect(text).toContain('stop_grace_period: 15s');
  });
});

describe('The image', () => {
  it('is built without what is private to a machine', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*', 'data', '.git']));
  });
});
