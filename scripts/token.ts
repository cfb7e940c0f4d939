import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { signAccessToken } from './sign-access-token';

const USAGE = 'npm run -s token -- --user <id> [--role user|admin] [--name <name>] [--ttl <seconds>]';

/* Prints an access token signed with JWT_SECRET, or with the secret that development keeps beside its database. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      role: { type: 'string', default: 'user' },
      name: { type: 'string' },
      ttl: { type: 'string' },
    },
  });
  const id = Number(values.user);
  const ttl = values.ttl === undefined ? undefined : Number(values.ttl);
  const { role, name } = values;
  const isFine =
    Number.isSafeInteger(id) && id > 0 && (ttl === undefined || (Number.isInteger(ttl) && ttl > 0));
  if (!isFine || (role !== 'user' && role !== 'admin')) throw new Error(`Usage: ${USAGE}`);
  const { config } = withLocalSecrets(loadConfig(process.env));
  process.stdout.write(`${await signAccessToken(config, { id, role, name }, ttl)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
