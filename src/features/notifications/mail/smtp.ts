/** Sends a mail over SMTP within a time limit and describes the outcome. */
import { isIP, isIPv4 } from 'node:net'
import type { SendError, TransportOptions } from 'nodemailer'
import type { TrialCode, TrialFinding } from '../../../base/api/trial.ts'
import { TEST_RESULTS } from '../../../base/errors/catalogue.ts'
import { AddressRefusedError } from '../../../base/net/address-guard.ts'
import type { MailServer } from './mail-setup.ts'
import { type Mailbox, oneLine } from './mailbox.ts'

export interface Mail {
  to: Mailbox
  /** A single line. */
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** `isFinal` means that retrying cannot succeed. */
export interface MailFailure extends TrialFinding {
  kind: 'failed'
  isFinal: boolean
  remedy: string
}

export type MailOutcome = { kind: 'sent'; reply: string } | MailFailure

const CONNECT_TIMEOUT_MS = 10_000
/** Maximum time between two responses of the server. */
const IDLE_TIMEOUT_MS = 20_000
/** Maximum duration of a session; must be shorter than the lease of an attempt. */
const TOTAL_TIMEOUT_MS = 60_000
const MAX_REPLY_CHARACTERS = 300
/** Limits names in header lines. The lines are folded, but servers reject lines that are too long. */
const MAX_NAME_CHARACTERS = 100

/** `id` becomes the Message-ID, by which a mail sent twice can be recognized. */
export async function sendBySmtp(
  server: MailServer,
  id: string,
  mail: Mail,
  { totalMs = TOTAL_TIMEOUT_MS }: { totalMs?: number } = {},
): Promise<MailOutcome> {
  const serverAddress = await resolveServer(server)
  if (typeof serverAddress !== 'string') return serverAddress
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, serverAddress, totalMs))
  // Also closes the connection, because a slow server could still accept the mail during a retry.
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), totalMs)
  try {
    const { response } = await transport.sendMail({ ...messageOf(server, id, mail), signal: clock.signal })
    return { kind: 'sent', reply: oneLine(response, MAX_REPLY_CHARACTERS) }
  } catch (error) {
    return clock.signal.aborted ? timeoutFailure(server) : failureOf(server, error as SendError)
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

/** Connects, and signs in if a login is set, without sending. Returns null on success. */
export async function testMailServer(server: MailServer, totalMs: number): Promise<MailFailure | null> {
  const serverAddress = await resolveServer(server)
  if (typeof serverAddress !== 'string') return serverAddress
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, serverAddress, totalMs))
  try {
    await transport.verify()
    return null
  } catch (error) {
    return failureOf(server, error as SendError)
  } finally {
    transport.close()
  }
}

/** Returns the checked address, to which the connection must be made. */
async function resolveServer({ host, port, guard }: MailServer): Promise<string | MailFailure> {
  try {
    const addresses = await guard.resolveAllowedAddresses(host, port)
    return addresses.find((address) => isIPv4(address)) ?? addresses[0] ?? host
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return createFailure('refused_place', `${host}:${port} was not contacted. ${guard.refusal}`)
    return createFailure('no_address', `${host} was not found in DNS.`)
  }
}

function transportOptions(
  { host, port, tls, login, authorities }: MailServer,
  serverAddress: string,
  totalMs: number,
) {
  return {
    host: serverAddress,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    // The certificate is issued for the host name; SNI does not allow IP addresses.
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(authorities !== null && { ca: authorities }) },
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, totalMs),
    greetingTimeout: Math.min(CONNECT_TIMEOUT_MS, totalMs),
    dnsTimeout: Math.min(CONNECT_TIMEOUT_MS, totalMs),
    socketTimeout: Math.min(IDLE_TIMEOUT_MS, totalMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies TransportOptions
}

function messageOf({ from }: MailServer, id: string, { to, subject, text, html, headers = {} }: Mail) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    from: named(from),
    to: named(to),
    subject: oneLine(subject, 200),
    text,
    html,
    messageId: `<${id}@${domain}>`,
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
  }
}

function named({ name, address }: Mailbox): Mailbox {
  return { name: oneLine(name, MAX_NAME_CHARACTERS), address }
}

type MailFault = Extract<TrialCode, `mail.${string}`> extends `mail.${infer Name}` ? Name : never

function createFailure(
  fault: MailFault,
  sentence: string,
  { isFinal = false, remedy = '' } = {},
): MailFailure {
  const code = `mail.${fault}` as const
  return { kind: 'failed', code, isFinal, sentence, remedy: remedy || TEST_RESULTS[code].remedy }
}

function timeoutFailure({ host, port }: Pick<MailServer, 'host' | 'port'>): MailFailure {
  return createFailure('timeout', `${host}:${port} did not respond in time.`)
}

/** Only failures specific to this mail are final; operators can fix a wrong password or a strict server. */
function failureOf({ host, port, tls, from }: MailServer, error: SendError): MailFailure {
  const serverAddress = `${host}:${port}`
  const reply = oneLine(error.response ?? error.message, MAX_REPLY_CHARACTERS)
  const code = error.originalCode ?? error.code ?? ''
  const command = error.command ?? ''
  const isFinal = (error.responseCode ?? 0) >= 500
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH')
    return createFailure('sign_in_refused', `${host} rejected the sign-in: ${reply}`)
  if (command === 'RCPT TO')
    return createFailure('recipient_refused', `${host} rejected the recipient: ${reply}`, { isFinal })
  if (command === 'MAIL FROM')
    return createFailure('sender_refused', `${host} rejected the sender ${from.address}: ${reply}`)
  if (error.code === 'EMESSAGE' || command === 'DATA')
    return createFailure('mail_refused', `${host} rejected the email: ${reply}`, { isFinal })
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code))
    return createFailure('certificate', `The certificate of ${serverAddress} is not trusted: ${reply}`)
  if (error.code === 'ETLS' || /SSL|TLS|EPROTO/.test(code))
    return createFailure(
      'tls',
      `No encrypted connection to ${serverAddress} could be established: ${reply}`,
      {
        remedy: `Check the port and the TLS setting, which is currently ${MAIL_TLS_LABELS[tls]}.`,
      },
    )
  if (code === 'ENOTFOUND' || code === 'EDNS' || code === 'EAI_AGAIN')
    return createFailure('no_address', `${host} was not found in DNS.`)
  if (code === 'ECONNREFUSED')
    return createFailure('nothing_listens', `Nothing is listening at ${serverAddress}.`)
  if (code === 'ETIMEDOUT') return timeoutFailure({ host, port })
  return createFailure('ended', `${serverAddress} closed the connection: ${reply}`)
}

const MAIL_TLS_LABELS = { starttls: 'STARTTLS', tls: 'TLS from the start', none: 'none' }
