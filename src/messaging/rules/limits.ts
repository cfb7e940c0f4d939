/* What conversations may have (contract 6). */

/** In characters. */
export const MAX_CONVERSATION_NAME = 100;
/** Of a group. */
export const MAX_MEMBERS = 5000;
