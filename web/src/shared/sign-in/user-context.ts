import { createContext, useContext } from 'react';
import type { UserResponse } from '@callboard/client';

export const UserContext = createContext<UserResponse | null>(null);

/** Returns the signed-in user. Throws outside of a signed-in page. */
export function useUser(): UserResponse {
  const user = useContext(UserContext);
  if (user === null) throw new Error('Nobody is signed in here');
  return user;
}
