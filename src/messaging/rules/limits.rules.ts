/* Limits of conversations (API 7.4). */

/** Maximum length of a name, in characters. */
export const MAX_CONVERSATION_NAME = 100;
/** Maximum number of members of a group. */
export const MAX_MEMBERS = 5000;
