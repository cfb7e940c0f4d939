import { readFileSync } from 'node:fs';

/** Examples in the package's README, with the names in their first lines. */
export const EXAMPLES = Array.from(
  readFileSync('packages/client/README.md', 'utf8').matchAll(
    /^```ts\n\/\/ @example ([\w-]+)\n([\s\S]*?)^```$/gm,
  ),
  ([, name = '', code = '']) => [name, code] as const,
);

/** Returns the code of an example. @throws {Error} if the README has no example of this name */
export function exampleOf(name: string): string {
  const [, code] = EXAMPLES.find(([given]) => given === name) ?? [];
  if (code === undefined) throw new Error(`The README has no example ${name}`);
  return code;
}
