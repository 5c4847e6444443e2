/** Sends to a real mail server and checks the errors of failed sends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { renderMail } from '../../src/features/notifications/mail/mail-content.ts'
import type { MailServer as MailSettings } from '../../src/features/notifications/mail/mail-setup.ts'
import { sendBySmtp } from '../../src/features/notifications/mail/smtp.ts'
import { listedGuard } from '../kit/git.ts'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../kit/mail-server.ts'

const LETTER = renderMail({ subject: 'Ebb', heading: 'Ebb', paragraphs: ['The tide goes out.'], foot: [] })
const LOGIN = { user: MAIL_USER, password: MAIL_PASSWORD }

function settingsFor(server: MailServer, more: Partial<MailSettings> = {}): MailSettings {
  return {
    host: '127.0.0.1',
    port: server.port,
    tls: 'starttls',
    login: null,
    from: { name: 'Acme Docs', address: 'docs@acme.example.com' },
    authorities: readFileSync(server.caFile, 'utf8'),
    guard: listedGuard,
    ...more,
  }
}

const send = (settings: MailSettings, name = '', letter = LETTER) =>
  sendBySmtp(settings, 'mail_1', { to: { name, address: 'ada@example.com' }, ...letter }, { totalMs: 3000 })

test('sends over STARTTLS and over TLS, with and without authentication', async () => {
  for (const tls of ['starttls', 'tls'] as const)
    for (const login of [null, LOGIN]) {
      await using server = await startMailServer({ tls, asksLogin: login !== null })
      const outcome = await send(settingsFor(server, { tls, login }))
      assert.equal(outcome.kind, 'sent', JSON.stringify(outcome))
      const [mail] = server.taken
      assert.deepEqual(
        [mail?.from, mail?.to, mail?.user, mail?.isEncrypted, mail?.headers['message-id']],
        [
          'docs@acme.example.com',
          ['ada@example.com'],
          login?.user ?? false,
          true,
          '<mail_1@acme.example.com>',
        ],
      )
      assert.match(mail?.text ?? '', /The tide goes out\./)
      assert.match(mail?.html ?? '', /The tide goes out\./)
    }
})

test('sends nothing without the requested encryption or to a server with an untrusted certificate', async () => {
  await using open = await startMailServer({ tls: 'none' })
  const plain = await send(settingsFor(open, { tls: 'starttls' }))
  assert.equal(plain.kind, 'failed')
  assert.equal((await send(settingsFor(open, { tls: 'none' }))).kind, 'sent')
  await using closed = await startMailServer()
  const unknown = await send(settingsFor(closed, { authorities: null }))
  assert.match(
    unknown.kind === 'failed' ? unknown.sentence : '',
    /^The certificate of 127\.0\.0\.1:\d+ is not trusted/,
  )
  assert.deepEqual([open.taken.length, closed.taken.length], [1, 0])
})

test('a permanent rejection of an email or recipient is final, and temporary or server failures are not', async () => {
  await using server = await startMailServer({ asksLogin: true })
  const settings = settingsFor(server, { login: LOGIN })
  const cases = [
    [{ refusesRecipient: 550 }, true, /rejected the recipient: 550/],
    [{ refusesRecipient: 450 }, false, /rejected the recipient: 450/],
    [{ refusesMail: 554 }, true, /rejected the email: 554/],
    [{ refusesMail: 451 }, false, /rejected the email: 451/],
    [{ refusesSender: 553 }, false, /rejected the sender docs@acme\.example\.com: 553/],
    [{ refusesConnection: 554 }, false, /554/],
    [{ drops: true }, false, /closed the connection/],
    [{ hangs: true }, false, /did not respond in time/],
  ] as const
  for (const [misbehaves, isFinal, sentence] of cases) {
    server.misbehaves = misbehaves
    const outcome = await send(settings)
    assert.ok(outcome.kind === 'failed', JSON.stringify(misbehaves))
    assert.equal(outcome.isFinal, isFinal, `${JSON.stringify(misbehaves)} ${outcome.sentence}`)
    assert.match(outcome.sentence, sentence)
  }
  server.misbehaves = {}
  const wrong = await send({ ...settings, login: { user: MAIL_USER, password: 'another-one' } })
  assert.ok(wrong.kind === 'failed' && !wrong.isFinal)
  assert.match(wrong.sentence, /rejected the sign-in: 535/)
  assert.ok(!JSON.stringify(wrong).includes('another-one'))
  assert.deepEqual(server.taken, [])
})

test('reports a closed port and a server that does not respond', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  await using server = await startMailServer()
  const { port } = silent.address() as AddressInfo
  const mute = await send(settingsFor(server, { port }))
  assert.match(mute.kind === 'failed' ? mute.sentence : '', /did not respond in time/)
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => silent.close(resolve))
  const gone = await send(settingsFor(server, { port }))
  assert.match(gone.kind === 'failed' ? gone.sentence : '', /^Nothing is listening at 127\.0\.0\.1:\d+\.$/)
})

test('gives up on a server that keeps sending lines once the time limit is reached', async () => {
  const { promise: connected, resolve } = Promise.withResolvers<Socket>()
  const talking = createServer((socket) => {
    socket.on('error', () => {}).write('220 Here\r\n')
    socket.once('data', () => {
      const words = setInterval(() => socket.write('250-ONE-MORE\r\n'), 20)
      socket.once('close', () => clearInterval(words))
    })
    resolve(socket.resume())
  })
  talking.listen(0, '127.0.0.1')
  await once(talking, 'listening')
  await using server = await startMailServer()
  const { port } = talking.address() as AddressInfo
  const sending = send(settingsFor(server, { port }))
  const socket = await connected
  const left = once(socket, 'close')
  const outcome = await sending
  assert.match(outcome.kind === 'failed' ? outcome.sentence : '', /did not respond in time/)
  await left
  talking.close()
})

test('hostile names and text cannot inject headers or HTML and are shortened', async () => {
  await using server = await startMailServer()
  const hostile = `Ada\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>"& \u202e\u0000${'x'.repeat(10_000)}`
  const letter = renderMail({
    subject: hostile,
    heading: hostile,
    paragraphs: [hostile],
    entries: [{ title: hostile, about: hostile, href: 'https://docs.example.com/?a=1&b="2' }],
    action: { label: 'Open', href: 'https://docs.example.com/"><script>' },
    foot: [hostile],
  })
  const settings = settingsFor(server, { from: { name: hostile, address: 'docs@acme.example.com' } })
  assert.equal((await send(settings, hostile, letter)).kind, 'sent')
  const [mail] = server.taken
  assert.deepEqual(mail?.to, ['ada@example.com'])
  assert.equal(mail?.headers.bcc, undefined)
  assert.match(mail?.headers.subject ?? '', /^Ada Bcc: eve@example\.com <script>.{100,200}…$/)
  assert.ok((mail?.headers.subject ?? '').length <= 200)
  assert.ok(!(mail?.html ?? '').includes('<script'))
})
