import type { Texts } from './texts';

export const EN: Texts = {
  client: {
    title: 'Callboard',
    tagline: 'Calls, messages and notices, in one place',
    signedIn: 'You are logged in',
    toPanel: 'Administration',
    toDocs: 'The interface for developers',
  },
  panel: {
    title: 'Callboard administration',
    tagline: 'For administrators',
    signedIn: 'You are logged in as an administrator',
    notAdmin: 'This account is not an administrator’s. Log out and use another one.',
    toClient: 'Web client',
  },
  signIn: {
    account: 'Account',
    password: 'Password',
    submit: 'Log in',
    submitting: 'Logging in…',
    wait: 'Again in {{time}}',
    demo: 'Demo accounts',
    demoHint: 'Look around with one click',
    as: 'Log in as {{account}}',
  },
  signedIn: {
    account: 'Account',
    role: 'Role',
    logOut: 'Log out',
    roles: { user: 'User', admin: 'Administrator' },
  },
  language: { label: 'Language', zh: '中文', en: 'English' },
  starting: 'Loading…',
  retry: 'Try again',
  errors: {
    credentials: 'Account or password is wrong.',
    tooMany: 'Too many attempts. Wait a moment, then try again.',
    unavailable: 'The service is busy or logs nobody in. Try again in a moment.',
    offline: 'No connection to the service.',
    unexpected: 'That did not work: {{message}}',
    request: 'Request {{id}}',
  },
  version: 'Version {{version}}',
};
