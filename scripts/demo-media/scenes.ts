/* Pictures of the demo data as SVG. All have 720 × 480 pixels, like those of a door camera. */

export const SCENE_SIZE = { width: 720, height: 480 };

const scene = (...parts: string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480" viewBox="0 0 720 480">${parts.join('')}</svg>`;

const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;

const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/>` +
  `<stop offset="1" stop-color="${to}"/></linearGradient>`;

/** Rows and columns of windows, some of them lit. */
function windows(x: number, y: number, columns: number, rows: number, lit: string, dark: string): string {
  const one = (index: number): string => {
    const fill = (index * 7) % 5 < 2 ? lit : dark;
    return rect(x + (index % columns) * 34, y + Math.floor(index / columns) * 44, 20, 28, fill, 'rx="2"');
  };
  return Array.from({ length: columns * rows }, (_, index) => one(index)).join('');
}

const tree = (x: number, y: number, size: number): string =>
  rect(x - size / 12, y, size / 6, size * 0.7, '#5d4636') +
  `<circle cx="${x}" cy="${y - size * 0.15}" r="${size * 0.5}" fill="#3f7d4e"/>` +
  `<circle cx="${x - size * 0.3}" cy="${y + size * 0.1}" r="${size * 0.33}" fill="#37704a"/>` +
  `<circle cx="${x + size * 0.3}" cy="${y + size * 0.12}" r="${size * 0.33}" fill="#4a8b58"/>`;

/** Door camera in the evening: a courtyard with a parked car. */
const DOOR = scene(
  `<defs>${gradient('sky', '#17233f', '#3c4d78')}${gradient('ground', '#4b5265', '#2c3140')}</defs>`,
  rect(0, 0, 720, 300, 'url(#sky)'),
  '<circle cx="600" cy="80" r="28" fill="#f3ecd2"/>',
  rect(40, 60, 190, 250, '#2a3350'),
  windows(58, 84, 5, 5, '#ffd98a', '#1c2440'),
  rect(250, 110, 150, 200, '#323c5c'),
  windows(266, 130, 4, 4, '#ffe2a3', '#222b49'),
  rect(0, 300, 720, 180, 'url(#ground)'),
  '<path d="M300 480L345 300h70l65 180z" fill="#5c6478"/>',
  '<path d="M380 480l-2-34m-1-26l-2-30m-1-24l-1-24" stroke="#d9dce4" stroke-width="5"/>',
  '<path d="M430 180v140" stroke="#12182a" stroke-width="8"/><path d="M400 320L430 186l60 134z" fill="#ffe9b0" opacity=".28"/>',
  '<circle cx="430" cy="182" r="12" fill="#fff3cf"/>',
  tree(660, 270, 90),
  tree(20, 300, 80),
  '<path d="M500 372c8-34 28-48 60-48h50c28 0 46 16 58 44l26 8c8 3 10 8 10 16v22H486v-22c0-10 4-16 14-20z" fill="#c2483d"/>',
  '<path d="M520 370c8-24 20-34 42-34h18v36zM592 336h16c18 0 32 10 42 36h-58z" fill="#bcd4ea"/>',
  '<circle cx="536" cy="414" r="24" fill="#171a24"/><circle cx="536" cy="414" r="11" fill="#9aa3b5"/>',
  '<circle cx="656" cy="414" r="24" fill="#171a24"/><circle cx="656" cy="414" r="11" fill="#9aa3b5"/>',
  '<circle cx="700" cy="388" r="7" fill="#ffe6a6"/>',
);

/** The gate of the estate at sunset. */
const GATE = scene(
  `<defs>${gradient('sky', '#f7b267', '#f4845f')}</defs>`,
  rect(0, 0, 720, 320, 'url(#sky)'),
  '<circle cx="360" cy="268" r="64" fill="#fff1c9"/>',
  '<path d="M0 300c90-60 150-50 220-20s120 10 190-14 180-40 310 34v40H0z" fill="#8a5a66"/>',
  rect(0, 320, 720, 160, '#8f8a86'),
  '<path d="M250 480L310 320h100l60 160z" fill="#b9b3ac"/>',
  rect(170, 190, 62, 190, '#7b4b3e'),
  rect(488, 190, 62, 190, '#7b4b3e'),
  rect(160, 172, 82, 24, '#643a30'),
  rect(478, 172, 82, 24, '#643a30'),
  '<path d="M232 380V232M252 380V226M272 380V222M292 380V220M312 380V220M332 380V222M352 380V226" stroke="#2d2a32" stroke-width="6"/>',
  '<path d="M228 240c50-24 84-24 128-8M228 340h128" stroke="#2d2a32" stroke-width="7" fill="none"/>',
  '<path d="M488 380l66-26V214l-66 20M510 372V227M532 364V220" stroke="#2d2a32" stroke-width="6" fill="none"/>',
  tree(80, 270, 120),
  tree(640, 276, 110),
  '<circle cx="201" cy="160" r="14" fill="#fff4d6"/><circle cx="519" cy="160" r="14" fill="#fff4d6"/>',
);

/** A courier with a parcel in front of the camera. */
const VISITOR = scene(
  `<defs>${gradient('wall', '#dfe7ee', '#b8c4d0')}</defs>`,
  rect(0, 0, 720, 480, 'url(#wall)'),
  rect(60, 40, 170, 440, '#8fa3b5'),
  rect(80, 60, 130, 200, '#a9bccb'),
  '<circle cx="206" cy="300" r="9" fill="#58687a"/>',
  tree(620, 260, 130),
  rect(0, 440, 720, 40, '#7e8a96'),
  '<path d="M240 480c4-110 40-160 130-160s126 50 130 160z" fill="#f08c2e"/>',
  '<path d="M340 322l30 40 30-40-10-26h-40z" fill="#f3c9a5"/>',
  '<ellipse cx="370" cy="232" rx="66" ry="78" fill="#f3c9a5"/>',
  '<path d="M298 214c0-66 36-96 74-96s72 30 72 92c-40-20-98-22-146 4z" fill="#2c4f8a"/>',
  '<path d="M286 218c40-26 110-30 168-8l6 16c-60-16-118-14-172 8z" fill="#1f3b69"/>',
  '<circle cx="345" cy="240" r="7" fill="#2b2b33"/><circle cx="397" cy="240" r="7" fill="#2b2b33"/>',
  '<path d="M344 276c16 14 36 14 52 0" stroke="#a8654a" stroke-width="6" fill="none" stroke-linecap="round"/>',
  rect(270, 370, 210, 110, '#c99a63'),
  rect(358, 370, 30, 110, '#e3c496'),
  rect(288, 396, 52, 34, '#f6efe2'),
  '<path d="M296 406h36M296 416h24" stroke="#8b7a63" stroke-width="4"/>',
);

/** The pictures by file name. */
export const SCENES = { door: DOOR, gate: GATE, visitor: VISITOR } as const;
