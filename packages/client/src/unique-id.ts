/** 128 random bits in hexadecimal; `crypto.randomUUID` is there over https only. */
export function uniqueId(): string {
  const bytes = globalThis.crypto?.getRandomValues?.(new Uint8Array(16)) ?? weakBytes();
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** React Native has no `crypto` by itself; ids must be different from each other, and not secret. */
const weakBytes = (): number[] => Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
