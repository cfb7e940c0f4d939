import { parseArgs, type ParseArgsConfig } from 'node:util';
import { BusinessError } from '../src/common/errors/business-error';
import { EN } from '../src/common/i18n/en';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the options of a script. `--help` prints the usage and exits.
 * @throws {UsageError} if the options are invalid
 */
export function readOptions<T extends Options>(usage: string, options: T) {
  const parsed = (() => {
    try {
      return parseArgs({ options: { ...options, help: { type: 'boolean' } } as const });
    } catch (error) {
      throw new UsageError(usage, error instanceof Error ? error.message : String(error));
    }
  })();
  const values = parsed.values as ReturnType<typeof parseArgs<{ options: T }>>['values'] & { help?: boolean };
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  return values;
}

/** Returns the environment of a script, which is one process and migrates the database itself. */
export const scriptEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, WEB_CONCURRENCY: '1' });

/** Invalid command-line arguments; the message contains the usage. */
export class UsageError extends Error {
  constructor(usage: string, problem?: string) {
    super([...(problem === undefined ? [] : [problem]), usage].join('\n\n'));
  }
}

/** Runs a script. On failure it prints the error message to standard error and exits with 1. */
export function runScript(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    // Exits explicitly: a failed application context may leave connections open.
    process.stderr.write(`${messageOf(error)}\n`, () => process.exit(1));
  });
}

function messageOf(error: unknown): string {
  if (error instanceof BusinessError) return error.translate(EN);
  return error instanceof Error ? error.message : String(error);
}
