import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Returns the path of Debian's Chromium; of the usual one if none is installed, for an error that names it. */
export const findChromium = (): string => PLACES.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
