/** All that the pages say, in one language; each catalogue is complete because of it. */
export interface Texts {
  client: { title: string; tagline: string; signedIn: string; toPanel: string; toDocs: string };
  panel: { title: string; tagline: string; signedIn: string; notAdmin: string; toClient: string };
  signIn: {
    account: string;
    password: string;
    submit: string;
    submitting: string;
    wait: string;
    demo: string;
    demoHint: string;
    as: string;
  };
  signedIn: { account: string; role: string; logOut: string; roles: { user: string; admin: string } };
  language: { label: string; zh: string; en: string };
  starting: string;
  retry: string;
  errors: {
    credentials: string;
    tooMany: string;
    unavailable: string;
    offline: string;
    unexpected: string;
    request: string;
  };
  version: string;
}
