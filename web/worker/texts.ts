/** Labels of the buttons of a ring, in the language that the page had when it registered the worker. */
export const TEXTS =
  new URLSearchParams(location.search).get('lang') === 'en'
    ? { answer: 'Answer', decline: 'Decline' }
    : { answer: '接听', decline: '拒绝' };
