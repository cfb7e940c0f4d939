import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './mysql-available.js';
import { MAX_WAIT_MS } from './waiting';

const run = promisify(execFile);

/** A request sent by pasting commands of a document, and its response. */
export interface PastedRequest {
  /** curl with its arguments. */
  command: string;
  status: string;
  body: string;
}

/*
 * Replacements for curl and npm on the PATH, so that the commands of a document run verbatim: the service listens on
 * another port, a stream never ends (it is read until its first bytes arrive), and npm takes a second to start a
 * script. `node` is the Node of the test.
 */
const COMMANDS = {
  curl: `#!/bin/bash
own=$(dirname "$0"); number=$(printf %03d $(ls "$own/trace" | grep -c command)); into="$own/trace/$number"
arguments=(); stream=
for argument in "$@"; do
  [ "$argument" = -N ] && stream=yes
  arguments+=("\${argument//localhost:3000/$SERVICE}")
done
command=$(printf ' %q' "$@"); echo "curl$command" > "$into.command"
if [ -z "$stream" ]; then
  $REAL_CURL -o "$into.body" -w '%{http_code}' "\${arguments[@]}" > "$into.status"
else
  $REAL_CURL -D "$into.head" -o "$into.body" "\${arguments[@]}" &
  until [ -s "$into.body" ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
  kill $! 2>/dev/null
  sed -n '1s/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' "$into.head" > "$into.status"
fi
cat "$into.body"
`,
  npm: `#!/bin/bash
[ "$1" = run ] && shift
[ "$1" = -s ] && shift
script=$(node -p 'require("./package.json").scripts[process.argv[1]].split("&& ").at(-1)' "$1") || exit 1
shift
[ "$1" = -- ] && shift
exec $script "$@"
`,
  node: `#!/bin/sh
exec ${process.execPath} "$@"
`,
};

/**
 * Pastes commands into one shell, as a reader of a document would with the service running.
 * @param service host and port
 * @returns the requests that were sent, in order
 * @throws {Error} if a command other than curl fails
 */
export async function paste(
  commands: string,
  service: string,
  env: NodeJS.ProcessEnv,
): Promise<PastedRequest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-reader-'));
  try {
    mkdirSync(join(folder, 'trace'));
    for (const [name, text] of Object.entries(COMMANDS))
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    const path = `${folder}${delimiter}${process.env.PATH}`;
    await run('bash', ['-c', `set -o pipefail\n${commands}`], {
      env: { ...env, PATH: path, SERVICE: service, REAL_CURL: findProgram('curl') },
      timeout: MAX_WAIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return globSync('trace/*.command', { cwd: folder })
      .toSorted()
      .map((file) => {
        const read = (part: string): string =>
          readFileSync(join(folder, file.replace('command', part)), 'utf8').trim();
        return { command: read('command'), status: read('status'), body: read('body') };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
