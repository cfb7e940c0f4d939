/** Order matters: many user agents also contain the name of a program below. */
const BROWSERS = [
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
  [/\bokhttp\//, 'Android app'],
  [/\b(?:CFNetwork|Darwin)\//, 'Apple app'],
  [/^node\b/, 'Node.js'],
  [/^curl\//, 'curl'],
] as const;

const SYSTEMS = [
  [/\bHarmonyOS\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/**
 * Returns the program and the operating system of a user agent. If only the system is recognised, it is returned as the
 * program; undefined if neither is.
 */
export function parseUserAgent(userAgent: string): { program: string; system?: string } | undefined {
  const find = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [program, system] = [find(BROWSERS), find(SYSTEMS)];
  if (program === undefined) return system === undefined ? undefined : { program: system };
  return system === undefined ? { program } : { program, system };
}
