import { execFileSync } from 'node:child_process';

/*
 * node scripts/check-commits.mjs
 *
 * Checks the subjects of all commits since the last release (`chore(release): …`): conventional, at most 72 characters, one change.
 * Without git, or in a shallow clone, it checks the commits that there are.
 */

const MAX_SUBJECT = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const CONVENTIONAL = new RegExp(`^(?:${TYPES})(?:\\([a-z0-9-]+\\))?!?: \\S`);

/** Returns what is wrong with a subject; undefined if nothing is. */
function problemOf(subject) {
  if (subject.length > MAX_SUBJECT) return `longer than ${MAX_SUBJECT} characters`;
  if (!CONVENTIONAL.test(subject)) return 'not a conventional subject';
  if (subject.includes(';')) return 'two changes in one commit';
  return undefined;
}

function subjectsSinceRelease() {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s'], { encoding: 'utf8' });
  const commits = log.trimEnd().split('\n');
  const release = commits.findIndex((commit) => /^\S+ chore\(release\): /.test(commit));
  return release === -1 ? commits.slice(0, 1) : commits.slice(0, release);
}

const problems = subjectsSinceRelease().flatMap((commit) => {
  const subject = commit.slice(commit.indexOf(' ') + 1);
  const problem = problemOf(subject);
  return problem === undefined ? [] : [`${commit}: ${problem}`];
});
if (problems.length > 0) {
  process.stderr.write(`Commit subjects:\n${problems.join('\n')}\n`);
  process.exitCode = 1;
}
