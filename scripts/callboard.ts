import '../src/node-version';
import { join } from 'node:path';
import { version } from '../package.json';

interface Command {
  /** Arguments that select the command, separated by a space. */
  name: string;
  /** File of the script, relative to the built `scripts` folder. It reads its options from `process.argv`. */
  file: string;
  description: string;
}

const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    file: '../bundle/main.js',
    description: 'Start the service (configured by environment variables)',
  },
  { name: 'migrate', file: 'migrate.js', description: 'Run the pending migrations' },
  { name: 'admin create', file: 'create-admin.js', description: 'Create an administrator' },
  { name: 'token', file: 'token.js', description: 'Print an access token of a user' },
  { name: 'repair counters', file: 'repair-counters.js', description: 'Recount and correct counters' },
  { name: 'repair stats', file: 'repair-stats.js', description: 'Recount and correct statistics' },
  { name: 'demo', file: 'demo/run.js', description: 'Show every feature on a temporary database' },
];

const WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length));

const USAGE = `Usage: callboard <command> [options]

Commands:
${COMMANDS.map(({ name, description }) => `  ${name.padEnd(WIDTH)}  ${description}`).join('\n')}

  --help     Print this text, or the options of a command
  --version  Print the version`;

/** Loads the script of the command in `process.argv`, which then looks as if the script had been started alone. */
function main(): void {
  const args = process.argv.slice(2);
  if (args[0] === '--version') return print(version);
  if (args[0] === '--help' || args[0] === undefined) return print(USAGE);
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, place) => args[place] === word));
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${args[0]} `));
  if (command === undefined && isGroup && args[1] === '--help') return print(USAGE);
  if (command === undefined) return fail(`Unknown command: ${args.join(' ')}`);
  const options = args.slice(command.name.split(' ').length);
  if (command.name === 'serve' && options.length > 0)
    return options[0] === '--help' ? print(USAGE) : fail(`Unknown option '${options[0]}'`);
  // The path too: a cluster starts its workers with it.
  const file = join(__dirname, command.file);
  process.argv.splice(1, process.argv.length, file, ...options);
  require(file);
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n\n${USAGE}\n`);
  process.exitCode = 2;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main();
