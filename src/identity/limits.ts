/* Lengths in characters (contract 2). */
export const MAX_ACCOUNT = 64;
export const MAX_NAME = 50;
export const MAX_AVATAR = 500;
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;
