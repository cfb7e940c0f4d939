/** Maximum length of a user's name, in characters (API 3.1). */
export const MAX_NAME = 50;
