/** Maximum length of a user's name, in characters (contract 2). */
export const MAX_NAME = 50;
