/** What both pages say. */
export const EN = {
  signIn: {
    account: 'Account',
    password: 'Password',
    submit: 'Log in',
    submitting: 'Logging in…',
    wait: 'Again in {{time}}',
    demo: 'Demo accounts',
    demoHint: 'Look around with one click',
    as: 'Log in as {{account}} ({{name}})',
    credentials: 'Account or password is wrong.',
    tooMany: 'Too many attempts. Wait a moment, then try again.',
    unavailable: 'The service is busy or logs nobody in. Try again in a moment.',
    offline: 'No connection to the service.',
    stillLoggedIn:
      'The service could not be told that you have logged out: the next visit in this browser would be logged in again. Try again.',
    ended: 'Your session has ended. Log in to go on where you were.',
  },
  logOut: 'Log out',
  roles: { user: 'User', admin: 'Administrator' },
  language: { label: 'Language', zh: '中文', en: 'English' },
  theme: { label: 'Appearance', auto: 'System', light: 'Light', dark: 'Dark' },
  starting: 'Loading…',
  retry: 'Try again',
  partFailed: 'Could not load this part.',
  request: 'Request {{id}}',
  version: 'Version {{version}}',
} as const;
