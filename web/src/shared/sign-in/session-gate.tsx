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
  /** Content for a signed-in user. */
  children: ReactNode;
}

/**
 * Shows the sign-in page until a user is signed in. When the service ends the session, the content stays mounted beneath a sign-in
 * dialog, so that typed text is not lost. Signing in as another user mounts the content anew.
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
