import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { focusHeading } from '../parts/focus';
import { useSession } from '../session';
import { SignInAgain } from './sign-in-again';
import { SignInPage } from './sign-in-page';
import { UserContext } from './user-context';
import './sign-in.css';

interface Props {
  title: string;
  tagline: string;
  /** What somebody sees who is signed in. */
  children: ReactNode;
}

/**
 * Asks who it is before it shows the rest. When the session ends under somebody's hands, all stays as it was beneath a dialog, so
 * that nothing typed is lost; whoever signs in as somebody else begins anew.
 */
export function SessionGate({ title, tagline, children }: Props) {
  const session = useSession();
  const ended = session.status === 'signed-out' ? session.ended : null;
  const user = session.status === 'signed-in' ? session.user : ended;
  const isAsked = session.status === 'signed-out' && ended === null;
  const wasAsked = useRef(false);
  useEffect(() => {
    if (isAsked) wasAsked.current = true;
    if (isAsked || !wasAsked.current || session.status !== 'signed-in') return undefined;
    wasAsked.current = false;
    return focusHeading();
  }, [isAsked, session.status]);
  if (user === null) return <SignInPage title={title} tagline={tagline} />;
  return (
    <UserContext value={user}>
      <Fragment key={user.id}>{children}</Fragment>
      {ended !== null && <SignInAgain user={ended} />}
    </UserContext>
  );
}
