const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pino } = require('pino');

/*
 * The log of a whole run: the applications of all tests write it at LOG_LEVEL=trace, and at the end of the run it is
 * searched for secrets.
 */

const FORBIDDEN = {
  'an access token, or one of LiveKit': /eyJ[\w-]{8,}\.[\w-]{8,}/,
  'an authorisation header': /Bearer [\w-]/i,
  "one of Agora's media tokens": /007eJ[\w+/-]{8,}/,
  // 256 bits in base64url. Words of that length contain no capitals and digits.
  'a refresh token': /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{43}(?![\w-])/,
  'the key of a back end': /cbk_[a-z0-9]{8}_[\w-]/,
  'a password': /correct horse|battery staple|another horse|a new horse|long enough/,
  'the hash of a password': /\$argon2/,
  'the key of access tokens': /a-secret-of-the-tests-with-32-bytes/,
  'what terminals signal': /v=0(\\r|\r)|candidate:\d/,
  'the secret of the TURN server, or a password that it takes': /the-secret-of-the-turn|"credential"/,
  'a secret of a webhook, or what they are made of': /whsec_|the-secret-of-the-webhooks/,
  'the certificate of the media account': /5cfd2fd1755d40ecb72977518be15d3b/,
};

/** Starts the log of a run. The processes of the run find it through the environment. */
function beginSuiteLog() {
  process.env.SUITE_LOG = mkdtempSync(join(tmpdir(), 'callboard-suite-log-'));
}

/** Path of the log for applications of this process; undefined if no run has started. */
function suiteLog() {
  const folder = process.env.SUITE_LOG;
  if (folder === undefined) return undefined;
  return pino.destination({ dest: join(folder, `${process.pid}.log`), append: true, sync: true });
}

/** Ends the log of a run. @throws {Error} with one example of every kind of secret found in it */
function endSuiteLog() {
  const folder = process.env.SUITE_LOG;
  const found = new Map();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      for (const [what, pattern] of Object.entries(FORBIDDEN))
        if (!found.has(what) && pattern.test(line)) found.set(what, line);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  if (found.size > 0)
    throw new Error(
      `Secrets in the log:\n${Array.from(found, ([what, line]) => `${what}: ${line.slice(0, 2_000)}`).join('\n')}`,
    );
}

module.exports = { beginSuiteLog, suiteLog, endSuiteLog };
