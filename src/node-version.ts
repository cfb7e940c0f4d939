import { engines } from '../package.json';

/*
 * Imported before all else: under a Node that is too old, what comes next would fail with something that nobody
 * understands.
 */

/** Whether a version such as `20.11.1` is older than one such as `22.13`. */
export function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

const least = engines.node.replace('>=', '');
if (isOlder(process.versions.node, least)) {
  process.stderr.write(
    `Callboard needs Node ${least} or newer, and this is ${process.version}. The scripts of npm bring one along: npm start.\n`,
  );
  process.exit(1);
}
