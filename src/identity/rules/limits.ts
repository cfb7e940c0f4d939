/** Longest name of a user, in characters (contract 2). */
export const MAX_NAME = 50;
