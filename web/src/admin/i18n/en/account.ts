export const ACCOUNT = {
  chosen: 'selected',
  profile: 'Profile',
  fixed: 'Name and picture come from your identity provider.',
  password: 'Password',
  passwordHint: 'A new password ends your other sessions.',
  oldPassword: 'Current password',
  again: 'New password again',
  different: 'The passwords are different.',
  wrongPassword: 'The current password is wrong.',
  change: 'Change password',
  passwordChanged: 'Password changed. Your other sessions were logged out.',
} as const;
