import { readFileSync } from 'node:fs';

/** A shell code block of a document. */
export interface ShellBlock {
  file: string;
  /** Line number of its first command. */
  line: number;
  code: string;
}

const FENCED = /^```(?:sh|bash)\n([\s\S]*?)^```$/gm;

/** Returns the shell blocks of a document, in order. */
export function shellBlocks(file: string): ShellBlock[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(FENCED), (match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }));
}
