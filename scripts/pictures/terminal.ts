import { execFileSync } from 'node:child_process';

/** Width in pixels at which GitHub shows a README. */
const WIDTH = 1000;
const LINE_HEIGHT = 19;
const PADDING = 20;
const MAX_COLUMNS = 112;

/** Returns the lines of a terminal in which the service is started and a request is sent. */
export function terminalLines(printed: string, port: number): string[] {
  const token = /ALICE=(\S+)/.exec(printed)?.[1] ?? '';
  const ask = (path: string): string[] => {
    const json = execFileSync('curl', [
      '-s',
      '-H',
      `Authorization: Bearer ${token}`,
      `http://127.0.0.1:${port}${path}`,
    ]);
    return JSON.stringify(JSON.parse(json.toString()), null, 2).split('\n');
  };
  const started = printed
    .split('\n')
    .filter((line) => line.trim() !== '' && !/Server listening|INFO: request/.test(line))
    .map((line) => line.replace(/=ey\S+/, (tokenText) => `${tokenText.slice(0, 24)}…`));
  const path = '/api/messages/conversations/1/messages?per_page=1';
  return [
    '$ npm start',
    ...started,
    '',
    `$ curl -s -H "Authorization: Bearer $ALICE" "$API${path.slice('/api'.length)}"`,
    ...ask(path).slice(0, 24),
    '  …',
  ];
}

/** Draws lines of text as an SVG picture of a terminal. */
export function drawTerminal(lines: string[]): string {
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  const rows = lines.map((line, index) => {
    const shown = line.length > MAX_COLUMNS ? `${line.slice(0, MAX_COLUMNS - 1)}…` : line;
    const place = `style="white-space:pre" x="${PADDING}" y="${PADDING + (index + 0.75) * LINE_HEIGHT}"`;
    return `<text ${place}${line.startsWith('$') ? ' fill="#8ddb8c"' : ''}>${escapeXml(shown)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#1c2128"/>`,
    `<g fill="#cdd9e5" font-size="14" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
