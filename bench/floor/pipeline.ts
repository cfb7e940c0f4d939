import type { Socket } from 'node:net';
import { type PoolConnection, TypedParameter } from 'mysql2';

/*
 * Statements that follow each other without waiting. The server executes the packets of a connection in their order,
 * and mysql2 sends a packet when the previous command has ended. A statement that is prepared, or sent as text, is one packet,
 * so it can be written earlier: its command then only reads the response when its turn comes. Uses internals of mysql2, which has no
 * public interface for this.
 */

export type Value = string | number | Date | Buffer | null;

/** A command of mysql2. `start` writes its packet and returns the function that reads the response. */
interface Command {
  statement?: object;
  start: (packet: unknown, connection: Internals) => unknown;
}

type CommandClass = new (options: object, settle: (error: Error | null, result: unknown) => void) => Command;

/** A connection with its internals, and the state that this module keeps on it. */
interface Internals {
  _command?: Command;
  sequenceId: number;
  stream: Socket;
  addCommand(command: Command): void;
  /** Commands by statement; those with a `statement` are prepared on this connection. */
  preparing?: Map<string, Command>;
  /** Whether the packets of all queued commands are written. */
  isTailWritten?: boolean;
  isCorked?: boolean;
}

/** Statements with more values have lists, whose length differs each time: preparing them would not pay. */
const MAX_PREPARED_VALUES = 64;

/** The classes of the library's commands, which it does not export: taken from the first command of each. */
let executeClass: CommandClass | undefined;
let queryClass: CommandClass | undefined;

/** The library's getter loads its module on every access. */
const asInteger = TypedParameter.LONGLONG;

/** Sends a statement without waiting for the previous ones. Its first use on a connection waits, to be prepared. */
export function send(connection: PoolConnection, sql: string, values: readonly Value[]): Promise<unknown> {
  const on = connection as unknown as Internals;
  // The driver would send integers as floating-point numbers.
  const typed = values.map((value) => (typeof value === 'number' ? asInteger(value) : value));
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, result: unknown): void =>
      error === null ? resolve(result) : reject(error);
    if (values.length > MAX_PREPARED_VALUES) {
      const text = connection.format(sql, [...values]);
      if (queryClass !== undefined) return add(on, new queryClass({ sql: text }, settle));
      on.isTailWritten = false;
      queryClass = connection.query(text, settle).constructor as CommandClass;
      return;
    }
    on.preparing ??= new Map();
    const statement = on.preparing.get(sql)?.statement;
    if (statement === undefined || executeClass === undefined) {
      on.isTailWritten = false;
      const command = connection.execute(sql, typed, settle) as unknown as Command;
      executeClass ??= command.constructor as CommandClass;
      on.preparing.set(sql, command);
      return;
    }
    add(on, new executeClass({ sql, values: typed, statement }, settle));
  });
}

/** Sends all statements of one turn of the event loop in one write. */
function cork(on: Internals): void {
  if (on.isCorked) return;
  on.isCorked = true;
  on.stream.cork();
  process.nextTick(() => {
    on.isCorked = false;
    on.stream.uncork();
  });
}

function add(on: Internals, command: Command): void {
  cork(on);
  if (on._command === undefined || on._command === null) on.isTailWritten = true;
  else if (on.isTailWritten) {
    // Each command numbers its packets from 0, and its response starts with 1.
    const { sequenceId } = on;
    on.sequenceId = 0;
    const read = command.start(null, on);
    on.sequenceId = sequenceId;
    command.start = () => {
      on.sequenceId = 1;
      return read;
    };
  }
  on.addCommand(command);
}
