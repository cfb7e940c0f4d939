import { createContext, useContext } from 'react';
import type { UserResponse } from '@callboard/client';

export const UserContext = createContext<UserResponse | null>(null);

/** Who is signed in, for what only they see. */
export function useUser(): UserResponse {
  const user = useContext(UserContext);
  if (user === null) throw new Error('Nobody is signed in here');
  return user;
}
