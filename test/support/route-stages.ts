import type { Stage } from './calls';

/**
 * Status of the call in which the action succeeds for permitted roles. For other routes the call has ended, so that no
 * user is busy.
 */
export const STAGES: Record<string, Stage> = {
  'POST /api/calls/:callId/accept': 'ringing',
  'POST /api/calls/:callId/reject': 'ringing',
  'POST /api/calls/:callId/cancel': 'ringing',
  'POST /api/calls/:callId/hangup': 'accepted',
  'POST /api/calls/:callId/media-state': 'accepted',
  'POST /api/calls/:callId/token': 'accepted',
};
