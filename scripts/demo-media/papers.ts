/* Documents of the demo data as HTML, which Chromium prints to PDF. They contain little text, in both languages. */

const paper = (body: string): string => `<!doctype html>
<html><head><meta charset="utf-8"><style>
@page { size: A5; margin: 12mm }
body { font: 12pt sans-serif; color: #1a2233; margin: 0 }
h1 { font-size: 16pt; margin: 0 0 6mm }
li { margin-bottom: 4mm }
svg { width: 100% }
</style></head><body>${body}</body></html>`;

const stop = (x: number, y: number, label: string): string =>
  `<circle cx="${x}" cy="${y}" r="9" fill="#2f5bd3" stroke="#fff" stroke-width="3"/>` +
  `<text x="${x + 16}" y="${y + 5}" font-size="15">${label}</text>`;

/** A walking route along a river. */
const ROUTE = paper(`<svg viewBox="0 0 420 560">
<rect width="420" height="560" fill="#eef4e8"/>
<path d="M-10 120C90 60 150 210 240 180S400 90 440 150v70c-60-50-100 10-190 40S90 200-10 210z" fill="#a9d3ef"/>
<rect x="40" y="280" width="90" height="70" fill="#cfe3bd"/><rect x="270" y="330" width="110" height="90" fill="#cfe3bd"/>
<path d="M0 450h420M180 240v320" stroke="#fff" stroke-width="14"/>
<path d="M60 500C90 430 170 470 180 400s-20-90 20-120 110-20 150-80" stroke="#d6493f" stroke-width="5" stroke-dasharray="14 8" fill="none"/>
${stop(60, 500, 'A')}${stop(180, 400, 'B')}${stop(350, 200, 'C')}
<text x="30" y="40" font-size="20" font-weight="bold">A → C · 4.2 km</text>
</svg>`);

const RULES = paper(`<h1>住户须知 · House rules</h1><ol>
<li>22:00–7:00 请保持安静<br>Quiet hours from 22:00 to 7:00</li>
<li>访客请用门口机登记<br>Visitors sign in at the door</li>
<li>楼道内请勿停放车辆<br>Keep the stairs free of bicycles</li>
<li>垃圾请分类投放<br>Please sort your waste</li>
</ol>`);

/** The documents by file name. */
export const PAPERS = { route: ROUTE, rules: RULES } as const;
