/** What is refused of how people sign in: a part of the error catalogue, which says what a row is. */
export const SIGN_IN_ERRORS = {
  password_sign_in_off: {
    status: 403,
    sentence: 'This server takes no passwords.',
    remedy: 'Sign in with single sign-on or a passkey.',
  },
  second_factor_required: {
    status: 403,
    sentence: 'A second factor is required here.',
    remedy: 'Set up codes or a passkey on your account page, or sign in with yours.',
  },
  own_factor_first: {
    status: 409,
    sentence: 'You need a second factor yourself before you require one of others.',
    remedy: 'Set up codes or a passkey on your account page, confirm with it, and try again.',
  },
  mail_domain_refused: {
    status: 409,
    sentence: 'The organization takes no e-mail addresses of this domain.',
    remedy: 'Use an address of one of its domains, or ask an owner to allow this one.',
  },
  other_way_needed: {
    status: 409,
    sentence: 'Passwords can be turned off only by who has another way in.',
    remedy: 'Sign in with single sign-on once, or add a passkey to your account, and try again.',
  },
} as const
