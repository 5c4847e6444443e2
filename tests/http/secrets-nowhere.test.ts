/** Secrets shown once or entered by users appear in no later response, database row or log line. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DashboardOperation } from '../../src/base/api/operation.ts'
import type { CreatedApiKey } from '../../src/features/accounts/operations/organization.ts'
import type { CreatedInvitation } from '../../src/features/accounts/operations/people.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { addPerson, type Browser, PASSWORD, signedIn } from '../kit/people.ts'
import { totpCode } from '../kit/totp.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'
import { recordLog } from './recorded-log.ts'

const log = recordLog()
const secrets = new Map<string, string>()
let api: ApiUnderTest
let browser: Browser

before(async () => {
  api = await startApi({ log })
  const { organizationId } = api.acme
  const email = 'owner@example.com'
  await addPerson(api.database, { email, organizationId })
  browser = await signedIn(api.url, { email, organizationId })
  const made = await browser.post<CreatedApiKey>('/internal/api-keys', { name: 'ci' })
  const invited = await browser.post<CreatedInvitation>('/internal/invitations', {
    email: 'guest@example.com',
    role: 'viewer',
  })
  const { totpURI, backupCodes } = await browser.post<{ totpURI: string; backupCodes: string[] }>(
    '/auth/two-factor/enable',
    { password: PASSWORD },
  )
  await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  secrets.set('key', made.text)
  secrets.set('invitation', invited.link.slice(invited.link.indexOf('=') + 1))
  secrets.set('secret of the codes', new URL(totpURI).searchParams.get('secret') as string)
  secrets.set('recovery code', backupCodes[0] as string)
  secrets.set('password', PASSWORD)
  secrets.set('cookie', [...browser.cookies.values()][0] as string)
})
after(() => api[Symbol.asyncDispose]())

function assertNoSecret(text: string, place: string): void {
  for (const [name, secret] of secrets) {
    assert.ok(secret.length > 8, name)
    assert.ok(!text.includes(secret) && !text.includes(decodeURIComponent(secret)), `${name} in ${place}`)
  }
}

test('no database row contains a key, token, code, password or cookie', async () => {
  const tables = await api.database.pool.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name
     FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.rows.length > 20)
  for (const { name } of tables.rows) {
    const rows = await api.database.pool.query<{ text: string }>(
      `SELECT row::text AS text FROM ${name} AS row`,
    )
    assertNoSecret(rows.rows.map((row) => row.text).join('\n'), name)
  }
})

test('no GET response of the internal API contains a key, token, code, password or cookie', async () => {
  for (const [id, operation] of Object.entries(DASHBOARD_OPERATIONS as Record<string, DashboardOperation>)) {
    const { method, path, success } = operation
    if (method !== 'GET' || success.contentType === 'text/event-stream') continue
    const response = await browser.ask(path.replace('{projectId}', api.acme.projectId))
    assertNoSecret(await response.text(), id)
  }
})

test('no log line contains a key, token, code, password or cookie', () => {
  assert.ok(log.lines.length > 5)
  assertNoSecret(JSON.stringify(log.lines), 'the log')
})
