import type { LimitRow } from '../../../base/api/limits.ts'

export const ACCOUNT_LIMITS = {
  newKeys: {
    count: 10,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_NEW_KEYS',
    help: 'New API keys, <count>/<seconds> per organization.',
  },
  signIns: {
    count: 10,
    seconds: 900,
    env: 'OCTAVO_LIMIT_SIGN_INS',
    help: 'Sign-in attempts, <count>/<seconds> per account and IP address, and per account from a browser that has signed in before. The limits per account from all IP addresses, and per IP address for all accounts, are ten times as high.',
  },
  links: {
    count: 100,
    seconds: 900,
    env: 'OCTAVO_LIMIT_LINKS',
    help: 'Uses of one-time links (setup, invitations, password resets), <count>/<seconds> per IP address.',
    sharedBy: 'address',
  },
} as const satisfies Record<string, LimitRow>
