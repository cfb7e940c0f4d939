import { safeUrl } from './safe-url';

/** A part of a line. */
export type Inline =
  | string
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] };

/** A paragraph, whose line breaks count, or a block of code. */
export type Block = { kind: 'paragraph'; children: Inline[] } | { kind: 'code'; text: string };

/** A block of code between two lines of three backticks; a language after the first ones is ignored. */
const FENCE = /(?:^|\n)```[^\n`]*\n([^]*?)\n```(?:\n|$)/gu;

/** URLs, without trailing punctuation that belongs to the sentence. */
const ADDRESS =
  /https?:\/\/[^\s<>"'。，、；！？（）【】《》“”]*[^\s<>"'.,;:!?)\]}*。，、；！？（）【】《》“”]/u;

/*
 * Asterisks count next to Chinese characters, which are written without spaces, but not within words or between numbers, such as in
 * `2*3*4`; underscores do not count within words of any script, such as in `client_msg_id`.
 */
const INLINE = new RegExp(
  [
    /(?<!`)`(?<code>[^`\n]+)`(?!`)/u,
    /\*\*(?=\S)(?<strong>[^\n]*?\S)\*\*(?!\*)/u,
    /(?<![A-Za-z0-9*])\*(?=[^\s*])(?<asterisks>[^*\n]*[^\s*])\*(?![A-Za-z0-9*])/u,
    /(?<![\p{L}\p{N}_])_(?=[^\s_])(?<underscores>[^_\n]*[^\s_])_(?![\p{L}\p{N}_])/u,
    /\[(?<label>[^\]\n]+)\]\((?<target>https?:\/\/[^\s()]+)\)/u,
    new RegExp(`(?<address>${ADDRESS.source})`, 'u'),
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Maximum depth of marks within marks. Deeper ones are shown as they were written. */
const MAX_DEPTH = 4;

/**
 * Parses the subset of Markdown of messages: bold, italic, code, blocks of code and links to http and https. Everything else, such as
 * HTML, is text.
 */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of text.matchAll(FENCE)) {
    if (match.index > end) addParagraph(blocks, text.slice(end, match.index));
    blocks.push({ kind: 'code', text: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end === 0 || end < text.length) addParagraph(blocks, text.slice(end));
  return blocks;
}

function addParagraph(blocks: Block[], text: string): void {
  blocks.push({ kind: 'paragraph', children: parseInline(text, 0) });
}

function parseInline(text: string, depth: number): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of depth < MAX_DEPTH ? text.matchAll(INLINE) : []) {
    const part = toPart(match.groups ?? {}, depth + 1);
    if (part === undefined) continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(part);
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

type Groups = Partial<Record<string, string>>;

function toPart(
  { code, strong, asterisks, underscores, label, target, address }: Groups,
  depth: number,
): Inline | undefined {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong, depth) };
  const emphasised = asterisks ?? underscores;
  if (emphasised !== undefined) return { kind: 'emphasis', children: parseInline(emphasised, depth) };
  const url = safeUrl(target ?? address ?? '');
  // A label is text only: a link within a link is not possible.
  return url === undefined ? undefined : { kind: 'link', url, children: [label ?? address ?? ''] };
}
