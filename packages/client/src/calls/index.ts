export { CallSession } from './call-session.js';
export type { CallState, EndReason } from './call-state.js';
export { CallTerminal, type CallTerminalOptions } from './call-terminal.js';
export { type GetUserMedia, LocalMedia } from './local-media.js';
export type * from './media/media.js';
