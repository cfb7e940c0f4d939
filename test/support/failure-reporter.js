const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, relative } = require('node:path');

/** File with the result of a run, which the summary of scripts/test.mjs reads. */
const RESULT = 'dist/jest.json';

/** A jest reporter: counts the tests, and lists each failure with the command that repeats it alone. */
module.exports = class FailureReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const failures = results.testResults.flatMap((file) => this.failuresOf(file));
    mkdirSync(dirname(RESULT), { recursive: true });
    writeFileSync(RESULT, JSON.stringify({ passed: results.numPassedTests, failures }));
  }

  failuresOf({ testFilePath, displayName, testExecError, failureMessage, testResults }) {
    const project = displayName?.name;
    const file = relative(this.rootDir, testFilePath);
    const failed = testResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && testExecError)
      return [
        { title: `${project} ${file}`, message: failureMessage, repeat: commandFor({ file, project }) },
      ];
    return failed.map(({ ancestorTitles, title, failureMessages }) => {
      // In a suite the first title is the test's file (run-suite.ts).
      const [first, ...others] = ancestorTitles;
      const isInSuite = file.endsWith('.suite.ts');
      const names = [...(isInSuite ? others : ancestorTitles), title];
      const own = isInSuite ? first : file;
      return {
        title: `${project} ${own} › ${names.join(' › ')}`,
        message: failureMessages.join('\n'),
        repeat: commandFor({ file: own, project, names }),
      };
    });
  }
};

function commandFor({ file, project, names = [] }) {
  const pattern = names.join(' ').replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const only = names.length > 0 ? ` -t '${pattern.replaceAll("'", String.raw`'\''`)}'` : '';
  const settings = ['TEST_SEED', 'TEST_RUNS', 'TEST_DELAYS']
    .filter((name) => process.env[name] !== undefined)
    .map((name) => `${name}=${process.env[name]} `);
  return `${settings.join('')}npm test -- ${file} --selectProjects ${project}${only}`;
}
