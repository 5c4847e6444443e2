/** `octavo doctor` checks the effective mail server: from the environment, otherwise from the dashboard. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeInstanceSettings } from '../../src/features/accounts/settings/instance-settings.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../kit/mail-server.ts'
import { runOctavo } from '../kit/octavo-command.ts'

let database: TestDatabase
let folder: string
let server: MailServer
before(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'octavo-doctor-mail-'))
  server = await startMailServer({ asksLogin: true })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

async function findMail(env: Record<string, string> = {}) {
  const { stdout } = await runOctavo(['doctor', '--json'], {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DATA: join(folder, 'data'),
      HOME: folder,
      OCTAVO_MAIL_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_MAIL_CA_FILE: server.caFile,
      ...env,
    },
  })
  assert.ok(!stdout.includes(MAIL_PASSWORD))
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; state: string; message: string; remedy: string | null }[]
  }
  return findings.find(({ check }) => check === 'mail')
}

test('doctor connects to the mail server set in the dashboard and sends no mail', async () => {
  assert.match((await findMail())?.message ?? '', /^Not configured/)
  await database.transaction((tx) =>
    writeInstanceSettings(tx, 'cli', {
      mailHost: '127.0.0.1',
      mailPort: String(server.port),
      mailTls: 'starttls',
      mailUser: MAIL_USER,
      mailFrom: 'docs@acme.example.com',
    }),
  )
  assert.deepEqual(await findMail(), {
    check: 'mail',
    state: 'ok',
    message: `127.0.0.1:${server.port} responds.`,
    remedy: null,
  })
  assert.deepEqual(server.taken, [])
})

test('mail settings from the environment override the dashboard, and their sign-in is tested', async () => {
  const given = {
    OCTAVO_MAIL_HOST: '127.0.0.1',
    OCTAVO_MAIL_PORT: String(server.port),
    OCTAVO_MAIL_USER: MAIL_USER,
    OCTAVO_MAIL_PASSWORD: MAIL_PASSWORD,
    OCTAVO_MAIL_FROM: 'docs@acme.example.com',
  }
  assert.match((await findMail(given))?.message ?? '', /responds and accepts the sign-in\.$/)
  const wrong = await findMail({ ...given, OCTAVO_MAIL_PASSWORD: 'another-one' })
  assert.equal(wrong?.state, 'fault')
  assert.match(wrong?.message ?? '', /rejected the sign-in/)
  const away = await findMail({ ...given, OCTAVO_MAIL_PORT: '2' })
  assert.match(away?.message ?? '', /^Nothing is listening at 127\.0\.0\.1:2\.$/)
})
