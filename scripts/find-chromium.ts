import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Returns the path of Debian's Chromium. If none is installed, returns the usual path, so that the error names it. */
export const findChromium = (): string => PLACES.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
