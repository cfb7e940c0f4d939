import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A folder with a web app in the layout of the build. */
export interface BuiltPages {
  folder: string;
  /** Writes another file, with its compressed variants. */
  write(path: string, text: string): void;
  remove(): void;
}

export const CLIENT_PAGE = `<!doctype html><title>Client</title>${'<p>client</p>'.repeat(200)}`;
export const PANEL_PAGE = `<!doctype html><title>Panel</title>${'<p>panel</p>'.repeat(200)}`;
export const SCRIPT = `console.log('client');\n`.repeat(100);
export const WORKER = `addEventListener('push', () => {});\n`.repeat(100);

/** Creates such a folder, with a page of each kind and a script. */
export function writePages(): BuiltPages {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-pages-'));
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
  };
  write('index.html', CLIENT_PAGE);
  write('admin/index.html', PANEL_PAGE);
  write('assets/client-DGqkqiTx.js', SCRIPT);
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('sw.js', WORKER);
  write('manifest.webmanifest', '{"name":"Callboard"}');
  write('icons/icon-192.png', 'a picture');
  return { folder, write, remove: () => rmSync(folder, { recursive: true }) };
}
