/** Names are a single line: control characters are rejected in every name. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'
import { recordLog } from './recorded-log.ts'

const CONTROLS = [
  '\u0000',
  '\u0007',
  '\n',
  '\r\n',
  '\t',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u202e',
]

/** Fields that are multiline, secret or checked by their own parser, matched by the end of their path. */
const OTHERS =
  /\/(?:prompt|content|note|style|password|secret|token|query|contact|before|key|domain|(?:mailD|d)omains\[\]|host|state|to|repository|ref|docsFolder|folder|branch|branches\[\]|groups\[\]|paths\[\]|allowList\[\]|timeZone|(?:project|organization|assignee)Ids?(?:\[\])?|ids\[\]|(?:add|remove)Labels\[\])$/

type Schema = TSchema & {
  type?: string
  enum?: unknown
  format?: string
  pattern?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

function* texts(schema: Schema, path: string): Generator<[string, Schema]> {
  if (schema.type === 'string' && schema.enum === undefined) yield [path, schema]
  for (const choice of schema.anyOf ?? []) yield* texts(choice, path)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* texts(property, `${path}/${name}`)
  if (schema.items) yield* texts(schema.items, `${path}[]`)
}

test('every text field of the API rejects control characters unless it is listed as an exception', () => {
  let count = 0
  for (const [id, operation] of Object.entries({ ...OPERATIONS, ...DASHBOARD_OPERATIONS })) {
    // Questions and searches appear in no list. Imported entries contain what readers sent, see import-feedback.test.ts.
    if (/Discovery|^importFeedback$/.test(id)) continue
    const body = 'body' in operation ? (operation.body as Schema | null) : null
    for (const [path, schema] of body === null ? [] : texts(body, id)) {
      if (OTHERS.test(path)) continue
      count++
      const shape = Compile(schema)
      for (const control of CONTROLS)
        assert.equal(shape.Check(`a${control}b`), false, `${path} takes ${JSON.stringify(control)}`)
    }
  }
  assert.ok(count > 25, 'the schemas are read')
})

let api: ApiUnderTest
let owner: Browser
const log = recordLog()
before(async () => {
  api = await startApi({ log, limits: { newKeys: { count: 1000, seconds: 60 } } })
  const { organizationId } = api.acme
  await addPerson(api.database, { email: 'namer@example.com', organizationId })
  owner = await signedIn(api.url, { email: 'namer@example.com', organizationId })
})
after(() => api[Symbol.asyncDispose]())

const source = { kind: 'git', repository: 'https://93.184.216.34/docs.git' }
const NAMED: [string, string, (text: string) => object][] = [
  ['PATCH', '/internal/organization', (name) => ({ name })],
  ['POST', '/internal/projects', (name) => ({ name, domains: ['named.example.org'], source })],
  ['POST', '/internal/projects', (name) => ({ name: 'x', domains: [`${name}.example.org`], source })],
  ['POST', '/internal/invitations', (name) => ({ email: `${name}@example.com`, role: 'viewer' })],
  ['POST', '/internal/api-keys', (name) => ({ name })],
  ['POST', '/auth/update-user', (name) => ({ name })],
  ['POST', '/v1/webhooks', (name) => ({ url: `https://93.184.216.34/${name}`, description: 'x' })],
  ['POST', '/v1/webhooks', (name) => ({ url: 'https://93.184.216.34/', description: name })],
]
for (const [method, path, body] of NAMED)
  test(`${method} ${path} refuses control characters in ${JSON.stringify(body('…'))}`, async () => {
    for (const control of CONTROLS) {
      const response = await owner.ask(path, { method, body: body(`a${control}b`) })
      assert.equal(response.status, 400, `${JSON.stringify(control)}: ${await response.text()}`)
    }
  })

test('a client that resets the connection early is not logged as a server error', async () => {
  const request = [
    'POST /auth/sign-in/email HTTP/1.1',
    `Host: 127.0.0.1:${api.port}`,
    'Content-Type: application/json',
    `Origin: ${api.url}`,
    'Content-Length: 45',
    '',
    '{"email":"namer@example.com","password":"xx"}',
  ].join('\r\n')
  for (let round = 0; round < 200; round++) {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(request, () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  assert.equal((await owner.ask('/internal/session')).status, 200)
  assert.deepEqual(
    log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})
