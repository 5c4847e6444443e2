/** Sends one mail over SMTP, limited in time, and describes the outcome in sentences. */
import { isIP, isIPv4 } from 'node:net'
import type { SendError, TransportOptions } from 'nodemailer'
import { TRIAL_WORDS, type TrialCode, type TrialFinding } from '../../../base/errors/finding-words.ts'
import { AddressRefusedError } from '../../../base/net/address-guard.ts'
import type { MailServer } from './mail-setup.ts'
import { type Mailbox, oneLine } from './mailbox.ts'

export interface Mail {
  to: Mailbox
  /** One line. */
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** `isFinal`: retrying cannot succeed. */
export interface MailFailure extends TrialFinding {
  kind: 'failed'
  isFinal: boolean
  remedy: string
}

export type MailOutcome = { kind: 'sent'; said: string } | MailFailure

const CONNECT_MS = 10_000
/** Maximum time between two responses of the server. */
const SILENCE_MS = 20_000
/** Maximum time of the whole session. Must be shorter than the lease of an attempt. */
const WHOLE_MS = 60_000
const SHOWN = 300
/** Header lines are wrapped, and servers reject longer ones. */
const LONGEST_NAME = 100

/** `id` becomes the Message-ID, so that a mail sent twice can be recognized. */
export async function sendBySmtp(
  server: MailServer,
  id: string,
  mail: Mail,
  { wholeMs = WHOLE_MS }: { wholeMs?: number } = {},
): Promise<MailOutcome> {
  const place = await placeOf(server)
  if (typeof place !== 'string') return place
  // Loaded on first use.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, place, wholeMs))
  // Also closes the connection. Otherwise a slow server could still accept the mail while it is being retried.
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), wholeMs)
  try {
    const { response } = await transport.sendMail({ ...messageOf(server, id, mail), signal: clock.signal })
    return { kind: 'sent', said: oneLine(response, SHOWN) }
  } catch (error) {
    return clock.signal.aborted ? tooLate(server) : failureOf(server, error as SendError)
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

/** Connects, and signs in if there is a login, without sending. Returns null on success. */
export async function askMailServer(server: MailServer, wholeMs: number): Promise<MailFailure | null> {
  const place = await placeOf(server)
  if (typeof place !== 'string') return place
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, place, wholeMs))
  try {
    await transport.verify()
    return null
  } catch (error) {
    return failureOf(server, error as SendError)
  } finally {
    transport.close()
  }
}

/** Returns the address to connect to, which is the one that was checked. */
async function placeOf({ host, port, guard }: MailServer): Promise<string | MailFailure> {
  try {
    const addresses = await guard.addressesOf(host, port)
    return addresses.find((address) => isIPv4(address)) ?? addresses[0] ?? host
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return failed('refused_place', `${host}:${port} is not asked. ${guard.refusal}`)
    return failed('no_address', `No address was found for ${host}.`)
  }
}

function transportOptions(
  { host, port, tls, login, authorities }: MailServer,
  place: string,
  wholeMs: number,
) {
  return {
    host: place,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    // The certificate is issued for the host name. An IP address has none.
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(authorities !== null && { ca: authorities }) },
    connectionTimeout: Math.min(CONNECT_MS, wholeMs),
    greetingTimeout: Math.min(CONNECT_MS, wholeMs),
    dnsTimeout: Math.min(CONNECT_MS, wholeMs),
    socketTimeout: Math.min(SILENCE_MS, wholeMs),
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
    // Marks the mail as automatic, so that nothing replies automatically.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
  }
}

function named({ name, address }: Mailbox): Mailbox {
  return { name: oneLine(name, LONGEST_NAME), address }
}

type MailFault = Extract<TrialCode, `mail.${string}`> extends `mail.${infer Name}` ? Name : never

function failed(fault: MailFault, sentence: string, { isFinal = false, remedy = '' } = {}): MailFailure {
  const code = `mail.${fault}` as const
  return { kind: 'failed', code, isFinal, sentence, remedy: remedy || TRIAL_WORDS[code].remedy }
}

function tooLate({ host, port }: Pick<MailServer, 'host' | 'port'>): MailFailure {
  return failed('timeout', `${host}:${port} did not answer in time.`)
}

/** Only failures specific to this mail are final. Operators can fix a wrong password or a strict server. */
function failureOf({ host, port, tls, from }: MailServer, error: SendError): MailFailure {
  const place = `${host}:${port}`
  const said = oneLine(error.response ?? error.message, SHOWN)
  const code = error.originalCode ?? error.code ?? ''
  const command = error.command ?? ''
  const isFinal = (error.responseCode ?? 0) >= 500
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH')
    return failed('sign_in_refused', `${host} refused the sign-in: ${said}`)
  if (command === 'RCPT TO')
    return failed('recipient_refused', `${host} refused the recipient: ${said}`, { isFinal })
  if (command === 'MAIL FROM')
    return failed('sender_refused', `${host} refused the sender ${from.address}: ${said}`)
  if (error.code === 'EMESSAGE' || command === 'DATA')
    return failed('mail_refused', `${host} refused the mail: ${said}`, { isFinal })
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code))
    return failed('certificate', `The certificate of ${place} is not trusted: ${said}`)
  if (error.code === 'ETLS' || /SSL|TLS|EPROTO/.test(code))
    return failed('tls', `No encrypted connection to ${place} came about: ${said}`, {
      remedy: `Check the port and the kind of TLS: now it is ${TLS_WORDS[tls]}.`,
    })
  if (code === 'ENOTFOUND' || code === 'EDNS' || code === 'EAI_AGAIN')
    return failed('no_address', `No address was found for ${host}.`)
  if (code === 'ECONNREFUSED') return failed('nothing_listens', `Nothing listens at ${place}.`)
  if (code === 'ETIMEDOUT') return tooLate({ host, port })
  return failed('ended', `The connection to ${place} ended: ${said}`)
}

const TLS_WORDS = { starttls: 'STARTTLS', tls: 'TLS from the start', none: 'none' }
