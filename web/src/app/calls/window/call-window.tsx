import { useEffect, useState } from 'react';
import type { CallSession } from '@callboard/client/calls';
import { ringback } from '../../attention/sounds';
import type { Terminal } from '../use-terminal';
import { AttemptCard } from './attempt-card';
import { EndedNote } from './ended-note';
import { IncomingCard } from './incoming-card';
import { ringInOneTab } from './ring-in-one-tab';
import { RunningCall } from './running-call';
import { useDismissed } from './use-dismissed';

/** Views and sounds of this window's call, above all screens. */
export function CallWindow({ terminal }: { terminal: Terminal }) {
  const { session, attempt, place, dropAttempt } = terminal;
  const [dismissed, dismiss] = useDismissed();
  const [silenced, setSilenced] = useState<CallSession | null>(null);
  const isSilent = session !== null && session === silenced;
  useRinging(session, isSilent);

  // A call that rings while the attempt opens its media may be accepted, and then needs its sound and controls.
  if (attempt !== null && (session === null || session.state === 'ended'))
    return (
      <AttemptCard
        attempt={attempt}
        onRetry={(mediaType) => void place(attempt.userId, mediaType)}
        onClose={dropAttempt}
      />
    );
  if (session === null || session.id === dismissed) return null;
  if (session.state === 'ringing')
    return (
      <IncomingCard
        key={session.id}
        session={session}
        isSilent={isSilent}
        onSilence={() => setSilenced(session)}
      />
    );
  if (session.state !== 'ended') return <RunningCall key={session.id} session={session} />;
  return isUnseenEnd(session) ? (
    <EndedNote
      session={session}
      onCallAgain={() => {
        dismiss(session.id);
        void place(session.peer.id, session.mediaType);
      }}
      onClose={() => dismiss(session.id)}
    />
  ) : null;
}

function useRinging(session: CallSession | null, isSilent: boolean): void {
  const { id, state } = session ?? {};
  useEffect(() => {
    if (state === 'calling') return ringback();
    return state === 'ringing' && id !== undefined && !isSilent ? ringInOneTab(id) : undefined;
  }, [id, state, isSilent]);
}

/** Whether a note shows the end of a call. Not if the user declined it, handled it on another device, or closed the page. */
function isUnseenEnd({ role, endReason }: CallSession): boolean {
  const isElsewhere = endReason === 'answered_elsewhere' || endReason === 'declined_elsewhere';
  return !isElsewhere && !(role === 'callee' && endReason === 'user_reject') && endReason !== 'page_closed';
}
