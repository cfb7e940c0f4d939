/** Returns 128 random bits in hexadecimal. Does not use `crypto.randomUUID`, which exists over https only. */
export function uniqueId(): string {
  const bytes = globalThis.crypto?.getRandomValues?.(new Uint8Array(16)) ?? weakBytes();
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fallback for React Native, which has no `crypto`. Ids must be unique, not secret. */
const weakBytes = (): number[] => Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
