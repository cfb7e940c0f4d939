import { engines } from '../package.json';

/*
 * Must be imported first: on a Node version that is too old, later imports fail with misleading errors.
 */

/** Whether a version, such as `20.11.1`, is older than the minimum, such as `22.13`. */
export function isOlder(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}

const minimum = engines.node.replace('>=', '');
if (isOlder(process.versions.node, minimum)) {
  process.stderr.write(
    `Callboard requires Node ${minimum} or newer, but this is ${process.version}. Run it with the bundled version: npm start.\n`,
  );
  process.exit(1);
}
