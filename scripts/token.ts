import '../src/node-version';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { readOptions, runScript, UsageError } from './command-line';
import { signAccessToken } from './sign-access-token';

const USAGE = `Usage: callboard token --user <id> [--role user|admin] [--name <name>] [--ttl <seconds>]
Prints an access token signed with JWT_SECRET or, in development, with the secret stored beside the database.`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    user: { type: 'string' },
    role: { type: 'string', default: 'user' },
    name: { type: 'string' },
    ttl: { type: 'string' },
  });
  const id = Number(values.user);
  const ttl = values.ttl === undefined ? undefined : Number(values.ttl);
  const { role, name } = values;
  const isFine =
    Number.isSafeInteger(id) && id > 0 && (ttl === undefined || (Number.isInteger(ttl) && ttl > 0));
  if (!isFine || (role !== 'user' && role !== 'admin')) throw new UsageError(USAGE);
  const { config } = withLocalSecrets(loadConfig(process.env));
  process.stdout.write(`${await signAccessToken(config, { id, role, name }, ttl)}\n`);
}

runScript(main);
