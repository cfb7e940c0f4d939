export const ACCOUNT = {
  chosen: 'selected',
  profile: 'Profile',
  fixed: 'Name and picture come from your identity provider.',
  password: 'Password',
  passwordHint: 'A new password ends your other sessions.',
  oldPassword: 'Current password',
  again: 'Confirm new password',
  different: 'Passwords don’t match.',
  wrongPassword: 'Current password is incorrect.',
  change: 'Change password',
  passwordChanged: 'Password changed. Your other sessions were logged out.',
} as const;
