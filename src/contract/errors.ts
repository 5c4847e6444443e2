/**
 * The error catalogue. Codes never change. Callers get the sentence, details and request id; logs get the code and cause.
 */
export const ERRORS = {
  'request.invalid': { status: 400, sentence: 'The request is not valid. See details.' },
  'request.malformed_json': { status: 400, sentence: 'The body is not valid JSON.' },
  'request.too_large': { status: 413, sentence: 'The body is larger than 1 MiB.' },
  'request.not_http': { status: 400, sentence: 'This is not a valid HTTP request.' },
  'request.timeout': { status: 408, sentence: 'The request did not arrive in time. Send it again.' },
  'request.headers_too_large': { status: 431, sentence: 'The headers are too large. Send less of them.' },
  'request.not_json': { status: 415, sentence: 'Send the body as application/json.' },
  'request.method_not_allowed': {
    status: 405,
    sentence: 'This address does not take that method. See the Allow header.',
  },
  'auth.unauthorized': {
    status: 401,
    sentence: 'A valid admin API key is required: send "Authorization: Bearer <key>".',
  },
  'auth.scope_missing': {
    status: 403,
    sentence: 'This API key does not have the scope that the request needs.',
  },
  'auth.address_refused': { status: 403, sentence: 'This API key may not be used from your address.' },
  'auth.maker_role_missing': {
    status: 403,
    sentence: 'The member who made this key may not do this. Use a key of a member with a higher role.',
  },
  'metrics.refused': {
    status: 403,
    sentence:
      'Figures are given to the addresses in OCTAVO_METRICS_FROM, and to who sends OCTAVO_METRICS_TOKEN as a bearer token.',
  },
  'auth.signed_out': { status: 401, sentence: 'Sign in first: there is no session, or it has ended.' },
  'auth.cross_site': { status: 403, sentence: 'Only pages of this server may use a session.' },
  'auth.not_a_member': { status: 403, sentence: 'You are not a member of this organization.' },
  'auth.role_missing': { status: 403, sentence: 'Your role does not allow this. Ask an admin or owner.' },
  'one_time_link.over': {
    status: 409,
    sentence: 'This link has been used, taken back, or has expired. Ask for a new one.',
  },
  'setup.done': { status: 409, sentence: 'This installation has its owner already. Sign in.' },
  'invitation.account_exists': {
    status: 409,
    sentence: 'This e-mail address has an account. Sign in with it, then open the link again.',
  },
  'invitation.other_account': {
    status: 409,
    sentence: 'The invitation is for another e-mail address than that of your account. Sign out first.',
  },
  'member.exists': { status: 409, sentence: 'This person is a member of the organization already.' },
  'member.last_owner': {
    status: 409,
    sentence: 'An organization needs an owner. Make somebody else an owner first.',
  },
  'plan.static_export': { status: 403, sentence: 'Static export requires an Enterprise plan' },
  not_found: { status: 404, sentence: 'Not found' },
  'export.not_completed': { status: 409, sentence: 'The export has not completed.' },
  'export.bundle_missing': {
    status: 409,
    sentence: 'The bundle is being built again. Ask again after the seconds in Retry-After.',
  },
  'export.bundle_lost': {
    status: 409,
    sentence: 'The bundle is gone and cannot be built again. Start a new export.',
  },
  'export.not_running': { status: 409, sentence: 'The export is over and cannot be cancelled.' },
  'webhook.disabled': { status: 409, sentence: 'The webhook is switched off. Switch it on first.' },
  'webhook.delivery_pending': { status: 409, sentence: 'The delivery is still being tried.' },
  'webhook.too_many': {
    status: 409,
    sentence: 'The organization has 50 webhooks, which is the most. Delete one first.',
  },
  'project.changed_meanwhile': {
    status: 409,
    sentence:
      'Somebody else has changed these settings since they were read. Look at them again. See details.',
  },
  'view.too_many': {
    status: 409,
    sentence: 'You have 100 saved views in this project, which is the most. Delete one first.',
  },
  'agent.not_active': { status: 409, sentence: 'The job is over and cannot be cancelled.' },
  'agent.archived': {
    status: 409,
    sentence: 'The job is archived and takes no more messages. Start a new one.',
  },
  'agent.request_decided': {
    status: 409,
    sentence: 'The pull request of this job is merged or closed already. Start a new job.',
  },
  'agent.at_work': {
    status: 409,
    sentence: 'The agent is at work on this change. Decide when it has finished, or cancel the job first.',
  },
  'agent.nothing_to_review': {
    status: 409,
    sentence: 'The job has changed nothing that could be decided on.',
  },
  'agent.reviewed_elsewhere': {
    status: 409,
    sentence: 'The pull request of this job is at a forge, under its `prLink`: decide on it there.',
  },
  'agent.conflict': {
    status: 409,
    sentence:
      'The branch has changed in the same places since. Send the job a message that asks to bring its change up to date.',
  },
  'idempotency.in_progress': {
    status: 409,
    sentence: 'A request with this Idempotency-Key is still at work. Ask again shortly.',
  },
  'idempotency.body_differs': {
    status: 422,
    sentence: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  },
  'limit.reached': { status: 429, sentence: 'Rate limit exceeded. Wait for the seconds in Retry-After.' },
  'feedback.proof_required': {
    status: 429,
    sentence:
      'This site gets very much feedback at the moment, so each entry costs some computing. See details.',
  },
  'feedback.id_taken': {
    status: 409,
    sentence: 'This id belongs to other feedback. Make a new one at random.',
  },
  'reader.origin_refused': {
    status: 403,
    sentence: 'Only pages of the domains of this site may send this.',
  },
  'link.expired': { status: 403, sentence: 'This link has expired. Ask for a new one.' },
  'link.object_changed': {
    status: 412,
    sentence: 'The object is not the one that If-Match names. Start the download again.',
  },
  'link.object_gone': {
    status: 404,
    sentence: 'What this link led to is not there any more. Ask for a new link.',
  },
  'link.range_outside': { status: 416, sentence: 'The range lies behind the end of the object.' },
  'link.altered': { status: 403, sentence: 'This link is not valid. Ask for a new one.' },
  'review.file_gone': {
    status: 404,
    sentence: 'This file of the rendered change was damaged and is not there any more.',
  },
  internal: { status: 500, sentence: 'Internal server error' },
  'unavailable.database': { status: 503, sentence: 'The database cannot be reached. Try again shortly.' },
  'unavailable.disk': {
    status: 503,
    sentence:
      "The server's disk is full. Reading goes on; nothing can be saved until its operator has made room. Try again later.",
  },
  'unavailable.repository': {
    status: 503,
    sentence: 'The repository cannot be reached. Try again shortly.',
  },
  'unavailable.sign_in': {
    status: 503,
    sentence: 'Signing in is not possible at the moment. Try again shortly.',
  },
  'unavailable.dashboard': {
    status: 503,
    sentence: 'The dashboard cannot be built or read on this server. See its log.',
  },
  'unavailable.model': {
    status: 503,
    sentence:
      'No AI model is configured. Set OCTAVO_MODEL, for example OCTAVO_MODEL=anthropic:claude-sonnet-4-5.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof ERRORS

/** Refuses a request. Becomes `{ error, details? }` with the catalogue's status at the edge. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  /** One sentence for each thing wrong. */
  readonly details: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    more: {
      sentence?: string
      details?: readonly string[]
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(more.sentence ?? ERRORS[code].sentence, { cause: more.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }
}
