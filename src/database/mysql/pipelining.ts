import type { Socket } from 'node:net';
import type { PoolConnection } from 'mysql2';

/*
 * Pipelining: statements are sent without waiting for the results of the earlier ones. The server executes the packets
 * of a connection in their order. mysql2 sends a command when the previous one has ended; but a prepared statement, or
 * one that is sent as text, is one packet, so it can be written earlier and its command only reads when its turn comes.
 * mysql2 has no public interface for that: test/database/pipelining-internals.mysql-spec.ts fails if these parts change.
 */

/** A command of mysql2. */
interface Command {
  /** Writes the command's packet. Returns the function that reads the response; null if the command has ended. */
  start: (packet: unknown, connection: Internals) => unknown;
  /** The prepared statement of an Execute. Undefined until its Prepare has ended. */
  statement?: object;
  /** The statement of a Prepare. */
  options?: { sql: string };
}

interface Internals {
  /** The command that reads at the moment. */
  _command?: Command | null;
  /** The commands after it. */
  _commands: { length: number; peekBack(): Command | undefined };
  /** The prepared statements by the key of their options. */
  _statements: { has(key: string): boolean };
  constructor: { statementKey(options: object): string };
  /** Number of the next packet of the command. */
  sequenceId: number;
  stream: Socket;
  addCommand(command: Command): Command;
}

/**
 * Makes a connection send each statement immediately if everything before it is sent and the connection has it prepared.
 * Other statements wait in the library's queue, and so do those after them: the order is always that of the calls. All
 * packets of one turn of the event loop leave in one write.
 */
export function pipelineStatements(connection: PoolConnection): void {
  const internals = connection as unknown as Internals;
  // Already done; or the library has replaced the method, because the connection is lost.
  if (Object.hasOwn(internals, 'addCommand')) return;
  const enqueue = internals.addCommand.bind(internals);
  const cork = corkOf(internals);
  internals.addCommand = (command) => {
    cork();
    if (!isTailWritten(internals)) return enqueue(command);
    if (isPrepared(command, internals)) {
      // Writes nothing: sets the statement of the Execute that follows.
      command.start(null, internals);
      return command;
    }
    return !isOnePacket(command) || write(command, internals) ? enqueue(command) : command;
  };
}

/** Returns a function that makes the socket collect what is written until the end of the current turn. */
function corkOf(connection: Internals): () => void {
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    connection.stream.uncork();
  };
  return () => {
    if (isCorked) return;
    isCorked = true;
    connection.stream.cork();
    process.nextTick(uncork);
  };
}

/** Whether a command is running, a statement, and the packets of all commands after it are written. */
function isTailWritten({ _command: running, _commands: queue }: Internals): boolean {
  if (!running || !isOnePacket(running)) return false;
  const last = queue.peekBack();
  // A command that `write` has written has a `start` of its own. No WeakSet: it would slow garbage collection down.
  return last === undefined || Object.hasOwn(last, 'start');
}

/** Whether a command is a Query, or an Execute whose statement is prepared: its request is one packet. */
const isOnePacket = (command: Command): boolean =>
  '_queryOptions' in command || ('_executeOptions' in command && command.statement !== undefined);

/** Whether a command is a Prepare whose statement the connection already has. */
const isPrepared = (command: Command, { _statements, constructor }: Internals): boolean =>
  'parameterDefinitions' in command &&
  command.options !== undefined &&
  _statements.has(constructor.statementKey(command.options));

/**
 * Writes the packet of a command while earlier commands still read. When its turn comes, it only reads.
 * @returns false if the packet could not be made: the command has failed then
 */
function write(command: Command, connection: Internals): boolean {
  const { sequenceId } = connection;
  // The packets of each command are numbered from 0, those of its response continue its numbers.
  connection.sequenceId = 0;
  const read = command.start(null, connection);
  const nextId = connection.sequenceId;
  connection.sequenceId = sequenceId;
  command.start = () => {
    connection.sequenceId = nextId;
    return read;
  };
  return read !== null;
}
