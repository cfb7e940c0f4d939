import { readFileSync } from 'node:fs';

/** A block of a document that is meant for a shell. */
export interface ShellBlock {
  file: string;
  /** Of its first command. */
  line: number;
  code: string;
}

const FENCED = /^```(?:sh|bash)\n([\s\S]*?)^```$/gm;

/** The shell blocks of a document, in order. */
export function shellBlocks(file: string): ShellBlock[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(FENCED), (match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }));
}
