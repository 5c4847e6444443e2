/** Private sites: every way to get access, and no content on any route without it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { CreatedSitePass, SiteAccessState } from '../../src/features/hosting/operations/site-access.ts'
import { MODERN_VERSIONS } from '../../src/features/mcp/protocol.ts'
import { moveProject } from '../../src/features/projects/lifecycle/move-project.ts'
import { findProject } from '../../src/features/projects/projects.ts'
import { READER_OPERATIONS } from '../../src/features/reader/operations/reader.ts'
import { addOrganization } from '../kit/accounts.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { smallSite } from '../kit/site.ts'
import { publish } from '../kit/until.ts'

const HOST = 'private.localhost'
const OPEN_HOST = 'open.localhost'
const MCP_VERSION = MODERN_VERSIONS[0] ?? ''
const SECRET_WORD = 'kingfisher'
const PASSWORD = 'reed and river'

let octavo: TestNode
let projectId: string
let siteId: string
let admin: Browser

before(async () => {
  octavo = await startTestNode({ OCTAVO_LIMIT_SIGN_INS: '6/600' })
  const { organizationId, node } = octavo
  const page = `---\ntitle: Birds\n---\n\nThe ${SECRET_WORD} is blue.\n`
  for (const host of [OPEN_HOST, HOST]) {
    ;({ projectId } = await octavo.addSite(host, { ...smallSite(1), 'page-1.mdx': page }))
    await publish(octavo.client, projectId)
  }
  siteId = (await findProject(node.context.database.queries, projectId))?.siteId ?? ''
  const email = 'admin@example.com'
  await addPerson(node.context.database, { email, organizationId, role: 'admin' })
  await addPerson(node.context.database, { email: 'stranger@example.com' })
  admin = await signedIn(octavo.url, { email, organizationId })
})
after(() => octavo?.[Symbol.asyncDispose]())

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
  host?: string
}

async function ask(path: string, { method = 'GET', headers = {}, body, host = HOST }: Asked = {}) {
  const { hostname, port } = new URL(octavo.url)
  const asked = request({ hostname, port, path, method, headers: { Host: host, ...headers } }).end(body)
  const [answer] = await once(asked, 'response')
  const text = Buffer.concat(await answer.toArray()).toString()
  return { status: answer.statusCode as number, headers: answer.headers as Record<string, string>, text }
}

function enter(password: string, headers: Record<string, string> = {}) {
  return ask('/_octavo/access', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ password, to: '/page-1' }).toString(),
  })
}

const cookieOf = (answer: { headers: Record<string, string> }) =>
  String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''

const change = <Result>(path: string, method: string, body?: unknown) =>
  admin.json<Result>(`/internal/projects/${projectId}/access${path}`, { method, body })

const mcp = (path: string, host: string, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    host,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_page', arguments: { path: '/page-1' } },
    }),
  })

async function modernMcp(method: string, host: string, headers: Record<string, string>) {
  const meta = 'io.modelcontextprotocol/'
  const _meta = { [`${meta}protocolVersion`]: MCP_VERSION, [`${meta}clientCapabilities`]: {} }
  const answer = await ask('/mcp', {
    ...{ method: 'POST', host },
    headers: {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json' },
      ...{ 'MCP-Protocol-Version': MCP_VERSION, 'Mcp-Method': method },
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }),
  })
  return JSON.parse(answer.text).result as { cacheScope?: string }
}

/** Requests every published file, the Markdown version of a page, the MCP endpoints and the assistant. */
async function doors(headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const manifest = await publishedFiles()
  const told: Record<string, string> = {}
  for (const name of manifest) {
    const { status, text } = await ask(`/${name.replace(/(?:index)?\.html$/, '')}`, { headers })
    told[name] = `${status} ${text}`
  }
  const twin = await ask('/page-1', { headers: { Accept: 'text/markdown', ...headers } })
  told.twin = `${twin.status} ${twin.text}`
  for (const path of ['/mcp', '/_octavo/mcp']) {
    const { status, text } = await mcp(path, HOST, headers)
    told[path] = `${status} ${text}`
  }
  const card = await ask('/.well-known/mcp/server-card.json', { headers })
  told.card = `${card.status} ${card.text}`
  const question = await ask('/_octavo/assistant', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is blue?' }] }] }),
  })
  told.assistant = `${question.status} ${question.text}`
  return told
}

async function publishedFiles(): Promise<string[]> {
  const { queries } = octavo.node.context.database
  const { manifest_key } = await queries
    .selectFrom('published_sites')
    .select('manifest_key')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const { readManifest } = await import('../../src/render/versions/site-versions.ts')
  return Object.keys((await readManifest(octavo.node.context.objects, manifest_key)).files)
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 2100))

describe('a private site', () => {
  let password: CreatedSitePass
  let link: CreatedSitePass
  let linkToken: string

  test('returns no page text on any route, while the same routes returned it when the site was public', async () => {
    const open = await doors()
    const telling = Object.keys(open).filter((name) => open[name]?.includes(SECRET_WORD))
    for (const name of ['page-1.html', 'page-1.md', 'llms-full.txt', 'twin', '/mcp', '/_octavo/mcp'])
      assert.ok(telling.includes(name), `${name} has no text of the page: ${Object.keys(open)}`)
    assert.ok(
      telling.some((name) => name.startsWith('_octavo/search')),
      String(telling),
    )
    await change('', 'PATCH', { isPrivate: true })
    await settled()
    for (const [name, told] of Object.entries(await doors())) {
      assert.match(told, /^40[14] /, `${name}: ${told.slice(0, 200)}`)
      assert.ok(!told.includes(SECRET_WORD), name)
    }
  })

  test('returns a 401 page with sign-in options that is neither cached nor indexed', async () => {
    const page = await ask('/page-1?a=1', { headers: { Accept: 'text/html' } })
    assert.equal(page.status, 401)
    assert.match(page.headers['www-authenticate'] ?? '', /^Bearer/)
    assert.deepEqual([page.headers['cache-control'], page.headers['x-robots-tag']], ['no-store', 'noindex'])
    assert.match(page.text, /Sign in as a member/)
    assert.doesNotMatch(page.text, /type="password"/)
    assert.equal((await ask('/page-1', { host: OPEN_HOST })).status, 200)
  })

  test('requires a pass for every reader operation, by host name and by site id', async () => {
    const own = new URL(octavo.url).host
    const body = JSON.stringify({ path: '/page-1', helpful: true })
    const answers = new Set<string>()
    for (const { method, path } of [...Object.values(READER_OPERATIONS), { method: 'POST', path: '/mcp' }])
      for (const [prefix, host] of [
        ['/_octavo', HOST],
        [`/_octavo/sites/${siteId}`, own],
      ] as const) {
        const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
        const { status, text } = await ask(prefix + path, {
          ...{ method, host },
          ...(method === 'GET' ? {} : { headers, body }),
        })
        assert.equal(status, 401, `${method} ${prefix}${path}: ${text}`)
        answers.add(text)
      }
    assert.equal(answers.size, 1, 'nothing tells one address from another')
  })

  test('opens with its password for one browser and remembers it in a cookie', async () => {
    password = await change<CreatedSitePass>('/passes', 'POST', {
      kind: 'password',
      name: 'Partners',
      password: PASSWORD,
    })
    const { rows } = await octavo.node.context.database.pool.query('SELECT password_hash FROM site_passes')
    assert.match(rows[0].password_hash, /^\$argon2id\$/)
    assert.equal((await enter('not the password')).status, 401)
    const entered = await enter(PASSWORD)
    assert.deepEqual([entered.status, entered.headers.location], [303, '/page-1'])
    assert.match(String(entered.headers['set-cookie']), /; HttpOnly; SameSite=Lax$/)
    await settled()
    const page = await ask('/page-1', { headers: { Cookie: cookieOf(entered) } })
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(SECRET_WORD))
    assert.match(page.headers['cache-control'] ?? '', /^private, /)
    assert.match(page.headers.vary ?? '', /cookie/)
    assert.equal(page.headers['x-robots-tag'], 'noindex')
    assert.ok(!(await ask('/page-1')).text.includes(SECRET_WORD), 'what one read is kept for nobody else')
    const told = await doors({ Cookie: cookieOf(entered) })
    assert.ok(told['/mcp']?.includes(SECRET_WORD))
    const said = await ask(`/_octavo/sites/${siteId}/feedback`, {
      method: 'POST',
      host: new URL(octavo.url).host,
      headers: { 'Content-Type': 'application/json', Cookie: cookieOf(entered) },
      body: JSON.stringify({ path: '/page-1', helpful: true }),
    })
    assert.equal(said.status, 201, said.text)
    const elsewhere = cookieOf(entered).replace(/\.[^.]*$/, '.AAAA')
    assert.equal((await ask('/page-1', { headers: { Cookie: elsewhere } })).status, 401)
  })

  test('marks responses to a reader as private and allows no other origin to read them', async () => {
    const kept = async (host: string, headers: Record<string, string> = {}) => {
      const scopes: string[] = []
      for (const path of ['/mcp/server-card', '/.well-known/ai-catalog.json', '/page-1', '/llms.txt']) {
        const answer = await ask(path, { host, headers })
        assert.equal(answer.status, 200, path)
        const { 'cache-control': control = '', 'access-control-allow-origin': origin = 'none' } =
          answer.headers
        scopes.push(`${path} ${control.startsWith('private') ? 'private' : 'public'} ${origin}`)
      }
      for (const method of ['server/discover', 'tools/list', 'resources/list', 'resources/templates/list'])
        scopes.push(`${method} ${(await modernMcp(method, host, headers)).cacheScope}`)
      return scopes
    }
    for (const line of await kept(HOST, { Cookie: cookieOf(await enter(PASSWORD)) }))
      assert.match(line, / private( none)?$/)
    for (const line of await kept(OPEN_HOST)) assert.match(line, / public( none| \*)?$/)
  })

  test('over https accepts a pass only from its __Host- cookie', async () => {
    const host = 'private.example.net'
    await octavo.node.context.database.queries
      .insertInto('project_domains')
      .values({ project_id: projectId, domain: host, position: 9, state: 'served', proof: 'operator' })
      .execute()
    const entered = await ask('/_octavo/access', {
      ...{ method: 'POST', host },
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password: PASSWORD, to: '/page-1' }).toString(),
    })
    const Cookie = cookieOf(entered)
    assert.match(Cookie, /^__Host-octavo\.reader=/)
    assert.equal((await ask('/page-1', { host, headers: { Cookie } })).status, 200)
    for (const prefix of ['', '__Secure-', 'x__Host-'])
      assert.equal(
        (await ask('/page-1', { host, headers: { Cookie: Cookie.replace('__Host-', prefix) } })).status,
        401,
        prefix,
      )
    assert.match(
      cookieOf(await ask('/_octavo/access/members?to=/', { host })),
      /^__Host-octavo\.reader-state=/,
    )
  })

  test('rejects a password form from another site and ignores redirect targets outside the site', async () => {
    assert.equal((await enter(PASSWORD, { Origin: 'https://evil.example.com' })).status, 403)
    for (const to of [
      '//evil.example.com',
      '/\\evil.example.com',
      'https://evil.example.com',
      '/a\r\nb: c',
    ]) {
      const query = new URLSearchParams({ to })
      const { text } = await ask(`/_octavo/access?${query}`)
      assert.ok(!text.includes('evil') && !text.includes('b: c'), to)
    }
  })

  test('opens with a signed link repeatedly and accepts its token as a bearer token', async () => {
    link = await change<CreatedSitePass>('/passes', 'POST', { kind: 'link', name: 'Review', days: 1 })
    const { pathname, search, searchParams } = new URL(link.url ?? '')
    linkToken = searchParams.get('link') ?? ''
    for (const method of ['GET', 'GET', 'HEAD']) {
      const entered = await ask(`${pathname}${search}&to=/page-1`, { method })
      assert.deepEqual([entered.status, entered.headers.location], [303, '/page-1'])
    }
    await settled()
    const bearer = { Authorization: `Bearer ${linkToken}` }
    assert.ok((await mcp('/mcp', HOST, bearer)).text.includes(SECRET_WORD))
    assert.ok((await ask('/page-1.md', { headers: bearer })).text.includes(SECRET_WORD))
    const again = await admin.json<CreatedSitePass>(
      `/internal/projects/${projectId}/access/passes/${link.passId}`,
    )
    assert.equal(again.url, link.url)
    const other = await ask('/page-1', { headers: { Authorization: `Bearer ${linkToken}x` } })
    assert.equal(other.status, 401)
  })

  test('closes for readers whose password was deleted or whose link has expired', async () => {
    const bearer = { Authorization: `Bearer ${linkToken}` }
    const entered = await enter(PASSWORD)
    await change<SiteAccessState>(`/passes/${password.passId}`, 'DELETE')
    await octavo.node.context.database.pool.query(
      "UPDATE site_passes SET expires_at = clock_timestamp() - interval '1 second' WHERE kind = 'link'",
    )
    await settled()
    assert.equal((await ask('/page-1', { headers: { Cookie: cookieOf(entered) } })).status, 401)
    assert.equal((await ask('/page-1', { headers: bearer })).status, 401)
    assert.equal((await mcp('/mcp', HOST, bearer)).status, 401)
    const { pathname, search } = new URL(link.url ?? '')
    assert.equal((await ask(pathname + search)).status, 401)
  })

  test('creates several links at once', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name) =>
        change<CreatedSitePass>('/passes', 'POST', { kind: 'link', name, days: 1 }),
      ),
    )
    assert.equal(new Set(made.map(({ passId }) => passId)).size, 6)
    for (const { passId } of made) await change<SiteAccessState>(`/passes/${passId}`, 'DELETE')
  })

  test('revokes the passes of the old organization when it is transferred to another one', async () => {
    const { organizationId, node } = octavo
    const { database } = node.context
    const given = await change<CreatedSitePass>('/passes', 'POST', { kind: 'link', name: 'Before', days: 1 })
    const Authorization = `Bearer ${new URL(given.url ?? '').searchParams.get('link')}`
    await settled()
    assert.equal((await ask('/page-1', { headers: { Authorization } })).status, 200)
    const receiver = await addOrganization(database)
    for (const [from, to] of [
      [organizationId, receiver],
      [receiver, organizationId],
    ] as const) {
      await database.transaction((tx) =>
        moveProject(tx, { projectId, from, to, actor: 'test', isOperator: true }),
      )
      await settled()
      assert.equal((await ask('/page-1', { headers: { Authorization } })).status, 401)
      assert.equal((await mcp('/mcp', HOST, { Authorization })).status, 401)
    }
  })

  test('admits members through the dashboard and rejects a ticket in another browser', async () => {
    const left = await ask('/_octavo/access/members?to=/page-1')
    assert.equal(left.status, 303)
    const state = cookieOf(left)
    const { searchParams } = new URL(left.headers.location ?? '')
    const body = Object.fromEntries(searchParams)
    const { url } = await admin.json<{ url: string }>('/internal/open-site', { method: 'POST', body })
    const { pathname, search } = new URL(url)
    assert.equal((await ask(pathname + search)).status, 401)
    const entered = await ask(pathname + search, { headers: { Cookie: state } })
    assert.deepEqual([entered.status, entered.headers.location], [303, '/page-1'])
    const cookie = { Cookie: cookieOf(entered) }
    assert.ok((await ask('/page-1', { headers: cookie })).text.includes(SECRET_WORD))
    const stranger = await signedIn(octavo.url, { email: 'stranger@example.com' })
    const refused = await stranger.ask('/internal/open-site', { method: 'POST', body })
    assert.equal(refused.status, 404)
    const { pool } = octavo.node.context.database
    const since = (at: string) => pool.query(`UPDATE organizations SET second_factor_since = ${at}`)
    await since('now()')
    const withoutFactor = await admin.ask('/internal/open-site', { method: 'POST', body })
    assert.equal(withoutFactor.status, 403)
    assert.equal(((await withoutFactor.json()) as { code: string }).code, 'second_factor_required')
    await since('NULL')
    await pool.query('DELETE FROM members')
    await settled()
    assert.equal((await ask('/page-1', { headers: cookie })).status, 401)
  })

  test('limits password guesses', async () => {
    let last = await enter('a guess')
    for (let round = 0; round < 6 && last.status !== 429; round++) last = await enter('a guess')
    assert.equal(last.status, 429)
    assert.ok(Number(last.headers['retry-after']) > 0)
  })
})
