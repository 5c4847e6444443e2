/**
 * The error catalogue: all errors by code. Codes never change. Responses carry the code along with the message; the
 * OpenAPI descriptions, the client's error type and the documented table are generated from it. For jobs, see
 * job-errors.ts.
 */
import { AGENT_ERRORS } from './agent-errors.ts'
import { DEPLOYMENT_ERRORS, EXPORT_ERRORS } from './deployment-errors.ts'

/** Errors of signing in; part of the error catalogue. */
const SIGN_IN_ERRORS = {
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

export interface CataloguedError {
  status: number
  /** Description of the error. */
  sentence: string
  /** Advice on how to fix it. */
  remedy: string
  /** The sentence is complete on its own; the remedy only appears in the documentation. */
  isWhole?: true
}

export const ERRORS = {
  // The request itself.
  invalid_request: { status: 400, sentence: 'The request is not valid.', remedy: 'See details.' },
  malformed_json: {
    status: 400,
    sentence: 'The body is not valid JSON.',
    remedy: 'Send JSON in UTF-8; details names the place from which it cannot be read.',
    isWhole: true,
  },
  malformed_http: {
    status: 400,
    sentence: 'This is not a valid HTTP request.',
    remedy: 'Send HTTP/1.1, from a client or proxy that speaks it.',
    isWhole: true,
  },
  body_too_large: {
    status: 413,
    sentence: 'The body is larger than 1 MiB.',
    remedy: 'Send less at once.',
    isWhole: true,
  },
  unsupported_media_type: {
    status: 415,
    sentence: 'Send the body as application/json.',
    remedy: 'Send the header `Content-Type: application/json`, and no `Content-Encoding`.',
    isWhole: true,
  },
  request_timeout: { status: 408, sentence: 'The request did not arrive in time.', remedy: 'Send it again.' },
  headers_too_large: { status: 431, sentence: 'The headers are too large.', remedy: 'Send less of them.' },
  method_not_allowed: {
    status: 405,
    sentence: 'This address does not take that method.',
    remedy: 'See the Allow header.',
  },
  not_found: {
    status: 404,
    sentence: 'Not found',
    remedy: 'Look at the id and at whose it is: what belongs to another organization answers the same.',
    isWhole: true,
  },
  // Authentication.
  unauthorized: {
    status: 401,
    sentence: 'A valid admin API key is required: send "Authorization: Bearer <key>".',
    remedy: 'Make a key on the dashboard, under API keys, when this one is revoked or has expired.',
    isWhole: true,
  },
  signed_out: {
    status: 401,
    sentence: 'Sign in first: there is no session, or it has ended.',
    remedy: 'Sign in again.',
    isWhole: true,
  },
  scope_missing: {
    status: 403,
    sentence: 'This API key does not have the scope that the request needs.',
    remedy: 'Use a key with the scope that details names.',
    isWhole: true,
  },
  address_refused: {
    status: 403,
    sentence: 'This API key may not be used from your address.',
    remedy: 'Call from an address on the allow-list of the key, or make a key with another list.',
    isWhole: true,
  },
  maker_role_missing: {
    status: 403,
    sentence: 'The member who made this key may not do this.',
    remedy: 'Use a key of a member with a higher role.',
  },
  site_private: {
    status: 403,
    sentence: 'This site is private: a key reads the text that is public, and none of it is.',
    remedy: 'Read the pages with a pass of the site, or make the site public.',
  },
  key_limited: {
    status: 403,
    sentence: 'This API key is limited to some projects, and this is about the whole organization.',
    remedy: 'Name one of its projects, or use a key for all projects.',
  },
  cross_site_refused: {
    status: 403,
    sentence: 'Only pages of this server may use a session.',
    remedy: 'Call with an admin API key instead.',
    isWhole: true,
  },
  not_a_member: {
    status: 403,
    sentence: 'You are not a member of this organization.',
    remedy: 'Choose another organization, or ask for an invitation.',
    isWhole: true,
  },
  role_missing: { status: 403, sentence: 'Your role does not allow this.', remedy: 'Ask an admin or owner.' },
  operator_missing: {
    status: 403,
    sentence: 'Only operators of this server may do this.',
    remedy: 'Ask whoever runs the server; `octavo operators add <e-mail>` makes operators.',
  },
  plan_required: {
    status: 403,
    sentence: 'Static export requires an Enterprise plan',
    remedy: 'Ask whoever runs this server to change the plan of the organization.',
    isWhole: true,
  },
  metrics_refused: {
    status: 403,
    sentence:
      'Figures are given to the addresses in OCTAVO_METRICS_FROM, and to who sends OCTAVO_METRICS_TOKEN as a bearer token.',
    remedy: 'Add the address of the collector, or send the token.',
    isWhole: true,
  },
  origin_refused: {
    status: 403,
    sentence: 'Only pages of the domains of this site may send this.',
    remedy: 'Add the domain to the project, and prove it.',
    isWhole: true,
  },
  // Sign-in, people.
  sign_in_refused: {
    status: 401,
    sentence: 'Signing in was refused.',
    remedy: 'Begin again; the sentence of the answer says what was not right.',
    isWhole: true,
  },
  wrong_credentials: {
    status: 401,
    sentence: 'The e-mail address or the password is not right.',
    remedy: 'Ask an admin of the organization for a link that sets a new password.',
    isWhole: true,
  },
  wrong_password: {
    status: 400,
    sentence: 'The password is not right.',
    remedy: 'Give the password that you sign in with.',
    isWhole: true,
  },
  wrong_code: {
    status: 401,
    sentence: 'The code is not right.',
    remedy: 'Codes change every 30 seconds, by the clock of the device.',
  },
  wrong_recovery_code: {
    status: 401,
    sentence: 'This recovery code is not right, or has been used.',
    remedy: 'Each code is good once: take another.',
    isWhole: true,
  },
  sign_in_expired: {
    status: 401,
    sentence: 'The sign-in took too long.',
    remedy: 'Begin again with the password.',
  },
  too_many_codes: {
    status: 401,
    sentence: 'Too many codes were wrong.',
    remedy: 'Begin again with the password.',
  },
  account_locked: { status: 429, sentence: 'Too many codes were wrong.', remedy: 'Wait 15 minutes.' },
  session_not_fresh: {
    status: 403,
    sentence: 'This needs a recent proof that it is you.',
    remedy: 'Confirm with your password, a code or a passkey, or sign in again, and send it once more.',
  },
  unknown_passkey: {
    status: 401,
    sentence: 'This passkey is not known here.',
    remedy: 'Sign in with the password, and add the passkey to your account.',
    isWhole: true,
  },
  passkey_unverified: {
    status: 401,
    sentence: 'The device did not ask for a fingerprint, face or PIN.',
    remedy: 'Use one that does.',
  },
  one_time_link_over: {
    status: 409,
    sentence: 'This link has been used, taken back, or has expired.',
    remedy: 'Ask for a new one.',
  },
  set_by_environment: {
    status: 409,
    sentence: 'The environment of the server sets this.',
    remedy: 'Change it there, or take it out there to set it here.',
  },
  test_running: {
    status: 409,
    sentence: 'Other tests are still waiting for their answers.',
    remedy: 'Test again when they are done.',
  },
  setup_done: { status: 409, sentence: 'This installation has its owner already.', remedy: 'Sign in.' },
  account_exists: {
    status: 409,
    sentence: 'This e-mail address has an account.',
    remedy: 'Sign in with it, then open the link again.',
  },
  other_account: {
    status: 409,
    sentence: 'The invitation is for another e-mail address than that of your account.',
    remedy: 'Sign out first.',
  },
  member_exists: {
    status: 409,
    sentence: 'This person is a member of the organization already.',
    remedy: 'Give the member another role under Members.',
    isWhole: true,
  },
  last_owner: {
    status: 409,
    sentence: 'An organization needs an owner.',
    remedy: 'Make somebody else an owner first.',
  },
  // Rate limits and idempotency.
  rate_limited: {
    status: 429,
    sentence: 'Rate limit exceeded.',
    remedy: 'Wait for the seconds in Retry-After.',
  },
  too_many_open: {
    status: 429,
    sentence: 'Too many requests are open at once.',
    remedy: 'Close streams that nobody reads, or wait for answers, and ask again.',
  },
  proof_required: {
    status: 429,
    sentence: 'This site gets very much feedback at the moment, so each entry costs some computing.',
    remedy: 'See details.',
  },
  idempotency_in_progress: {
    status: 409,
    sentence: 'A request with this Idempotency-Key is still at work.',
    remedy: 'Ask again shortly.',
  },
  idempotency_body_differs: {
    status: 422,
    sentence: 'This Idempotency-Key was used with another body.',
    remedy: 'Use a new key for a new request.',
  },
  // Projects and feedback.
  changed_meanwhile: {
    status: 409,
    sentence: 'Somebody else has changed these settings since they were read.',
    remedy: 'Look at them again. See details.',
  },
  domain_taken: {
    status: 400,
    sentence: 'The request is not valid. See details.',
    remedy: 'Name another domain, or take it out of the project that has it.',
    isWhole: true,
  },
  too_many_views: {
    status: 409,
    sentence: 'You have 100 saved views in this project, which is the most.',
    remedy: 'Delete one first.',
  },
  too_many_labels: {
    status: 409,
    sentence: 'This project has 200 labels, which is the most.',
    remedy: 'Delete one first.',
  },
  too_many_labels_on_entry: {
    status: 409,
    sentence: 'An entry carries at most 20 labels.',
    remedy: 'Take one off first.',
  },
  label_name_taken: {
    status: 409,
    sentence: 'Another label of this project has that name.',
    remedy: 'Choose another name.',
  },
  feedback_id_taken: {
    status: 409,
    sentence: 'This id belongs to other feedback.',
    remedy: 'Make a new one at random.',
  },
  ...DEPLOYMENT_ERRORS,
  ...SIGN_IN_ERRORS,
  // Static exports and their archives.
  ...EXPORT_ERRORS,
  bundle_rebuilding: {
    status: 409,
    sentence: 'The bundle is being built again.',
    remedy: 'Ask again after the seconds in Retry-After.',
  },
  bundle_lost: {
    status: 409,
    sentence: 'The bundle is gone and cannot be built again.',
    remedy: 'Start a new export.',
  },
  link_expired: { status: 403, sentence: 'This link has expired.', remedy: 'Ask for a new one.' },
  link_altered: { status: 403, sentence: 'This link is not valid.', remedy: 'Ask for a new one.' },
  object_gone: {
    status: 404,
    sentence: 'What this link led to is not there any more.',
    remedy: 'Ask for a new link.',
  },
  object_changed: {
    status: 412,
    sentence: 'The object is not the one that If-Match names.',
    remedy: 'Start the download again.',
  },
  range_not_satisfiable: {
    status: 416,
    sentence: 'The range lies behind the end of the object.',
    remedy: 'Ask for a range within `Content-Length`.',
    isWhole: true,
  },
  // Webhooks.
  webhook_disabled: { status: 409, sentence: 'The webhook is switched off.', remedy: 'Switch it on first.' },
  delivery_pending: {
    status: 409,
    sentence: 'The delivery is still being tried.',
    remedy: 'Wait for its end; it is tried for three days.',
    isWhole: true,
  },
  too_many_webhooks: {
    status: 409,
    sentence: 'The organization has 50 webhooks, which is the most.',
    remedy: 'Delete one first.',
  },
  ...AGENT_ERRORS,
  // Server.
  internal: {
    status: 500,
    sentence: 'Internal server error',
    remedy: 'Give the request id to whoever runs the server: its log has the reason.',
    isWhole: true,
  },
  database_unavailable: {
    status: 503,
    sentence: 'The database cannot be reached.',
    remedy: 'Try again shortly.',
  },
  disk_full: {
    status: 503,
    sentence:
      "The server's disk is full. Reading goes on; nothing can be saved until its operator has made room.",
    remedy: 'Try again later.',
  },
  repository_unavailable: {
    status: 503,
    sentence: 'The repository cannot be reached.',
    remedy: 'Try again shortly.',
  },
  sign_in_unavailable: {
    status: 503,
    sentence: 'Signing in is not possible at the moment.',
    remedy: 'Try again shortly.',
  },
  dashboard_unavailable: {
    status: 503,
    sentence: 'The dashboard cannot be built or read on this server.',
    remedy: 'See its log.',
  },
  site_unavailable: {
    status: 503,
    sentence: 'The pages of this site cannot be read at the moment.',
    remedy: 'Try again shortly.',
  },
  model_unavailable: {
    status: 503,
    sentence: 'No AI model is configured.',
    remedy: 'Set OCTAVO_MODEL, for example OCTAVO_MODEL=anthropic:claude-sonnet-4-5.',
  },
  assistant_spent: {
    status: 429,
    sentence: 'The assistant has answered as much as it may this month.',
    remedy:
      'Search the docs; whoever runs the server can raise OCTAVO_ASSISTANT_QUESTIONS and OCTAVO_ASSISTANT_TOKENS.',
  },
  assistant_unavailable: {
    status: 503,
    sentence: 'This site has no assistant.',
    remedy: 'Set OCTAVO_ASSISTANT_MODEL, and publish the site again.',
  },
} as const satisfies Record<string, CataloguedError>
