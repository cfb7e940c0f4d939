import { readFileSync } from 'node:fs';

/** Returns a code block of docs/calls.md by the name in its first line. @throws {Error} if it does not exist */
export function exampleOf(name: string): string {
  const text = readFileSync('docs/calls.md', 'utf8');
  const blocks = Array.from(text.matchAll(/^```(?:js|ts)\n\/\/ @example (\w+)\n([\s\S]*?)^```$/gm));
  const [, , code] = blocks.find(([, given]) => given === name) ?? [];
  if (code === undefined) throw new Error(`docs/calls.md has no example ${name}`);
  return code;
}
