import { readFileSync } from 'node:fs';

/** The pieces of code in the package's README, by the names that their first lines give them. */
export const EXAMPLES = Array.from(
  readFileSync('packages/client/README.md', 'utf8').matchAll(
    /^```ts\n\/\/ @example ([\w-]+)\n([\s\S]*?)^```$/gm,
  ),
  ([, name = '', code = '']) => [name, code] as const,
);

/** @throws {Error} when there is none of this name */
export function exampleOf(name: string): string {
  const [, code] = EXAMPLES.find(([given]) => given === name) ?? [];
  if (code === undefined) throw new Error(`The README has no example ${name}`);
  return code;
}
