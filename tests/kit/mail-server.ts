/** A real mail server for tests, which can be set to refuse mails, hang or drop connections. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { MAIL_CERTIFICATE, MAIL_KEY } from './mail-certificate.ts'

export interface TakenMail {
  from: string
  to: string[]
  /** The authenticated user; false without a login. */
  user: string | false
  isEncrypted: boolean
  /** Unfolded headers by lower-case name. */
  headers: Record<string, string>
  raw: string
  /** The decoded text part. */
  text: string
  html: string
}

/** Faults of the next connections; if empty, mails are accepted. */
export interface Misbehaviour {
  /** Status code for `RCPT TO`. */
  refusesRecipient?: number
  /** Status code for the end of the mail. */
  refusesMail?: number
  refusesSender?: number
  refusesConnection?: number
  /** Never answers the end of the mail. */
  hangs?: boolean
  /** Closes the connection in the middle of the mail. */
  drops?: boolean
}

export interface MailServer extends AsyncDisposable {
  port: number
  taken: TakenMail[]
  /** Number of connections, including failed ones. */
  connections: number
  misbehaves: Misbehaviour
  /** Path of the CA certificate. */
  caFile: string
}

export const MAIL_USER = 'octavo'
export const MAIL_PASSWORD = 'the-gull-over-the-pier-88'

export async function startMailServer({
  tls = 'starttls',
  asksLogin = false,
}: {
  tls?: 'starttls' | 'tls' | 'none'
  asksLogin?: boolean
} = {}): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-mail-'))
  const caFile = join(folder, 'authority.pem')
  writeFileSync(caFile, MAIL_CERTIFICATE)
  const sockets = new Set<Socket>()
  const mail: Omit<MailServer, 'port' | typeof Symbol.asyncDispose> = {
    taken: [],
    connections: 0,
    misbehaves: {},
    caFile,
  }
  const refusal = (code: number | undefined) =>
    code === undefined ? null : Object.assign(new Error('The tide is out'), { responseCode: code })
  const server = new SMTPServer({
    secure: tls === 'tls',
    key: MAIL_KEY,
    cert: MAIL_CERTIFICATE,
    hideSTARTTLS: tls === 'none',
    authOptional: !asksLogin,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(asksLogin ? [] : ['AUTH'])],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      mail.connections++
      done(refusal(mail.misbehaves.refusesConnection))
    },
    onAuth({ username, password }, _session, done) {
      if (username === MAIL_USER && password === MAIL_PASSWORD) done(null, { user: username })
      else done(Object.assign(new Error('Wrong password'), { responseCode: 535 }))
    },
    onMailFrom: (_address, _session, done) => done(refusal(mail.misbehaves.refusesSender)),
    onRcptTo: (_address, _session, done) => done(refusal(mail.misbehaves.refusesRecipient)),
    onData(stream, { envelope, user, secure }, done) {
      if (mail.misbehaves.drops === true) {
        for (const socket of sockets) socket.destroy()
        return
      }
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        if (mail.misbehaves.hangs === true) return
        const refused = refusal(mail.misbehaves.refusesMail)
        if (refused !== null) return done(refused)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        const raw = Buffer.concat(pieces).toString('latin1')
        mail.taken.push({ from, to, user: user ?? false, isEncrypted: secure, raw, ...readMail(raw) })
        done(null, 'Taken by the harbour')
      })
    },
  })
  // Tests abort connections on purpose.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return Object.assign(mail, {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

function readMail(raw: string): Pick<TakenMail, 'headers' | 'text' | 'html'> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = readHeaders(raw.slice(0, end))
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = raw.slice(end).split(`--${boundary}`)
  const partOf = (type: string) => {
    const part = parts.find((one) => one.slice(0, 200).includes(`Content-Type: ${type}`)) ?? ''
    const at = part.indexOf('\r\n\r\n')
    return decodeBody(part.slice(at + 4), readHeaders(part.slice(0, at).trim()))
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function readHeaders(text: string): Record<string, string> {
  const lines = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), decodeWords(line.slice(at + 1).trim())]
    }),
  )
}

function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : fromQuoted(word.replace(/_/g, ' ')),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString())
}

function decodeBody(body: string, { 'content-transfer-encoding': encoding }: Record<string, string>): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const bytes = encoding === 'quoted-printable' ? fromQuoted(body.replace(/=\r\n/g, '')) : body
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}

function fromQuoted(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
