const { join } = require('node:path');
const timers = require('node:timers');
const promises = require('node:timers/promises');
require('reflect-metadata');

/*
 * npm run test:slow: a tenth of all SQL statements and timers take up to 25 ms longer, as on a busy machine, so that a
 * test that depends on timing fails. Loaded before every test file (jest.config.js), and before every service that a
 * test starts as a process (environment.ts). TEST_SEED determines which ones are delayed.
 */

const SHARE = 0.1;
const MAX_MS = 25;
/** Node's built-in modules are shared by all test files of a worker, so they are patched once. */
const IS_DELAYED = Symbol.for('callboard.delayed');

const isTest = process.env.JEST_WORKER_ID !== undefined;
const pause = promises[IS_DELAYED] ?? promises.setTimeout;
let state = Number(process.env.TEST_SEED ?? 1) + process.pid;

delayTimersOf(globalThis);
if (promises[IS_DELAYED] === undefined) {
  promises[IS_DELAYED] = pause;
  promises.setTimeout = (ms = 1, ...rest) => pause(ms + delay(), ...rest);
  delayTimersOf(timers);
}
// Unit tests issue no statements, so they do not load the database modules.
if (!isTest || globalThis.HAS_DATABASE) {
  const { TimedPool } = service('database/mysql/timed-pool');
  const { BetterSqlite3QueryRunner } = require('typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js');
  delayStatements(TimedPool.prototype, 'queryOn');
  delayStatements(BetterSqlite3QueryRunner.prototype, 'query');
}

/** Loads a module of the service: the source in a test, otherwise the build. */
function service(file) {
  return require(join(__dirname, '../..', isTest ? 'src' : 'dist/src', file));
}

/** Returns a delay in milliseconds: up to 25 in a tenth of the calls, otherwise 0. */
function delay() {
  return random() < SHARE ? random() * MAX_MS : 0;
}

/** A pseudo-random number below 1 (mulberry32). */
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let value = Math.imul(state ^ (state >>> 15), 1 | state);
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
}

function delayTimersOf(owner) {
  const { setTimeout: original } = owner;
  owner.setTimeout = Object.defineProperties(
    (callback, ms = 1, ...args) => original(callback, ms + delay(), ...args),
    // Copies `util.promisify.custom`, which `promisify` reads.
    Object.getOwnPropertyDescriptors(original),
  );
}

/** Statements of one connection keep their order: the first argument, or else `this`, stands for the connection. */
function delayStatements(prototype, method) {
  const { [method]: original } = prototype;
  const turns = new WeakMap();
  prototype[method] = async function (...args) {
    const connection = typeof args[0] === 'object' ? args[0] : this;
    const ms = delay();
    const turn = (turns.get(connection) ?? Promise.resolve()).then(() => ms > 0 && pause(ms));
    turns.set(connection, turn);
    await turn;
    return original.apply(this, args);
  };
}
