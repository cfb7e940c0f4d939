const argon2 = require('../../node_modules/@node-rs/argon2/index.js');

/*
 * Replaces `@node-rs/argon2` in tests on a database and hashes with the lowest cost. Every start of the application and
 * every user with a password needs a hash, which takes 25 ms of processor time at the real cost. `passwords.spec.ts`
 * checks the real cost.
 */

const LOWEST = { memoryCost: 8, timeCost: 1 };
const cheap = (options) => ({ ...options, ...LOWEST });

module.exports = {
  ...argon2,
  hash: (password, options) => argon2.hash(password, cheap(options)),
  hashRaw: (password, options) => argon2.hashRaw(password, cheap(options)),
};
