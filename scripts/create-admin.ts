import '../src/node-version';
import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import { DtoPipe } from '../src/common/input/dto.pipe';
import { loadConfig } from '../src/config/config';
import { AccountsService } from '../src/identity/accounts.service';
import { CreateUserRequest } from '../src/identity/dto/users.dto';
import { readOptions, runScript, scriptEnvironment, UsageError } from './command-line';
import { ScriptModule } from './script-module';

const USAGE = `Usage: callboard admin create --account <account> --name <name>
Creates an administrator in the database DATABASE_URL. Prompts for the password on a terminal, otherwise reads it from
standard input.`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, { account: { type: 'string' }, name: { type: 'string' } });
  if (values.account === undefined || values.name === undefined) throw new UsageError(USAGE);
  const config = loadConfig(scriptEnvironment());
  const password = process.stdin.isTTY
    ? await askPassword()
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  const body = (await new DtoPipe().transform(
    { ...values, password, role: 'admin' },
    { type: 'body', metatype: CreateUserRequest },
  )) as CreateUserRequest;

  const app = await NestFactory.createApplicationContext(ScriptModule.forRoot(config), {
    logger: ['error'],
    abortOnError: false,
  });
  try {
    const { id, account } = await app.get(AccountsService).create(body);
    process.stdout.write(`Created the administrator ${account} with the id ${id}\n`);
  } finally {
    await app.close();
  }
}

/** Reads a password from the terminal without echo. */
async function askPassword(): Promise<string> {
  process.stderr.write('Password: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

runScript(main);
