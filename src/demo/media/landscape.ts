const WIDTH = 720;
const HEIGHT = 480;
const CHANNELS = 3;

type Colour = readonly [red: number, green: number, blue: number];

/** Colours of the sky above and at the horizon, of the sun, and of the hills from far to near. */
interface Light {
  sky: readonly [Colour, Colour];
  sun: Colour;
  /** Height of the sun above the horizon, as a part of the sky. */
  sunHeight: number;
  hills: readonly Colour[];
}

const LIGHTS = {
  morning: {
    sky: [
      [126, 178, 221],
      [255, 221, 186],
    ],
    sun: [255, 244, 214],
    sunHeight: 0.25,
    hills: [
      [148, 164, 190],
      [98, 128, 140],
      [58, 92, 84],
    ],
  },
  noon: {
    sky: [
      [64, 140, 222],
      [190, 224, 246],
    ],
    sun: [255, 250, 225],
    sunHeight: 0.75,
    hills: [
      [122, 170, 150],
      [86, 146, 96],
      [52, 110, 60],
    ],
  },
  evening: {
    sky: [
      [62, 54, 112],
      [244, 140, 92],
    ],
    sun: [255, 196, 110],
    sunHeight: 0.12,
    hills: [
      [122, 84, 120],
      [80, 56, 92],
      [38, 32, 58],
    ],
  },
} as const satisfies Record<string, Light>;

export type TimeOfDay = keyof typeof LIGHTS;

/** Returns a picture of hills at a time of the day as JPEG, 720 × 480 pixels. It is the same each time. */
export async function paintLandscape(time: TimeOfDay): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const pixels = Buffer.alloc(WIDTH * HEIGHT * CHANNELS);
  const light = LIGHTS[time];
  for (let x = 0; x < WIDTH; x += 1) {
    const hills = hillsAt(x / WIDTH, light);
    for (let y = 0; y < HEIGHT; y += 1)
      pixels.set(colourAt(x / WIDTH, y / HEIGHT, light, hills), (y * WIDTH + x) * CHANNELS);
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: CHANNELS } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** Height of the horizon, as a part of the picture from its top. */
const HORIZON = 0.6;
const SUN_X = 0.68;
const SUN_RADIUS = 0.055;
const RATIO = WIDTH / HEIGHT;

/** A range of hills in a column of pixels: its upper edge and its colour. */
interface Hill {
  top: number;
  colour: Colour;
}

/** Returns the ranges of hills in a column, from near to far. */
const hillsAt = (x: number, { hills }: Light): Hill[] =>
  hills.map((colour, index) => ({ top: hillTop(x, index), colour })).toReversed();

function colourAt(x: number, y: number, { sky, sun, sunHeight }: Light, hills: readonly Hill[]): Colour {
  for (const { top, colour } of hills) if (y > top) return colour;
  const distance = Math.hypot((x - SUN_X) * RATIO, y - HORIZON * (1 - sunHeight));
  if (distance < SUN_RADIUS) return sun;
  const glow = 0.6 * Math.exp(-(distance - SUN_RADIUS) * 9);
  return mix(mix(sky[0], sky[1], Math.min(y / HORIZON, 1)), sun, glow);
}

/** Returns the upper edge of a range of hills; the nearer ones have a higher index and are lower in the picture. */
const hillTop = (x: number, index: number): number =>
  0.52 +
  index * 0.13 +
  0.05 * Math.sin(x * (5 + index * 2) + index * 2.1) +
  0.02 * Math.sin(x * (17 - index * 3) + index);

const mix = (from: Colour, to: Colour, part: number): Colour => [
  from[0] + (to[0] - from[0]) * part,
  from[1] + (to[1] - from[1]) * part,
  from[2] + (to[2] - from[2]) * part,
];
