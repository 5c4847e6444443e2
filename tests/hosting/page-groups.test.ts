/** Pages restricted to groups: no file that other readers get may contain a word of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import type { CreatedSitePass } from '../../src/features/hosting/operations/site-access.ts'
import { findNeededObjects } from '../../src/features/storage/needed-objects.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'
import { readManifest } from '../../src/render/versions/site-versions.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { ended } from '../kit/until.ts'

const HOST = 'groups.localhost'
const page = (title: string, groups: string, text: string) =>
  `---\ntitle: ${title}\ndescription: About ${text}.\n${groups}---\n\n## Of ${text}\n\nThe word is ${text}.\n`
const FILES = {
  'docs.json': JSON.stringify({
    name: 'Groups',
    theme: 'mint',
    colors: { primary: '#2f5bd0' },
    navigation: {
      groups: [
        { group: 'Open', pages: ['index', 'changes'] },
        { group: 'Dealings', pages: ['partners', 'both'] },
        { group: 'Unfinished', pages: ['beta', 'broken'] },
      ],
    },
  }),
  'index.mdx': page('Home', '', 'heron'),
  'changes.mdx': `---\ntitle: Changes\nrss: true\n---\n\n<Update label="2026-01">About pelican.</Update>\n`,
  'partners.mdx': page('Partnership', 'groups: ["partners"]\n', 'kingfisher'),
  'both.mdx': page('Bothness', 'groups:\n  - beta\n  - partners\n', 'bittern'),
  'beta.mdx': page('Betaness', 'groups: beta\n', 'dunlin'),
  'broken.mdx': page('Brokenness', 'groups: [{ a: 1 }]\n', 'egret'),
  'torn.mdx': `---\ntitle: "Torn\ngroups:\n  - beta\n---\n\nThe word is grebe.\n`,
}
/** Title and unique word that reveal each page. */
const WORDS: Record<string, RegExp> = {
  partners: /kingfisher|Partnership/,
  both: /bittern|Bothness/,
  beta: /dunlin|Betaness/,
  broken: /egret|Brokenness/,
  torn: /grebe/,
}

let octavo: TestNode
let projectId: string
let siteId: string
let admin: Browser

before(async () => {
  octavo = await startTestNode({
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
  })
  const { organizationId, node } = octavo
  ;({ projectId } = await octavo.addSite(HOST, FILES))
  const project = node.context.database.queries.selectFrom('projects').select('site_id')
  siteId = (await project.where('id', '=', projectId).executeTakeFirstOrThrow()).site_id
  const email = 'admin@example.com'
  await addPerson(node.context.database, { email, organizationId, role: 'admin' })
  admin = await signedIn(octavo.url, { email, organizationId })
  await settle((await octavo.client.startDeployment(projectId)).deploymentId)
})
after(() => octavo?.[Symbol.asyncDispose]())

async function settle(deploymentId: string): Promise<void> {
  const deployment = await ended(() => octavo.client.getDeployment(projectId, deploymentId))
  assert.equal(deployment.status, 'published', JSON.stringify(deployment))
}

async function ask(path: string, headers: Record<string, string> = {}, body?: string) {
  const { hostname, port } = new URL(octavo.url)
  const method = body === undefined ? 'GET' : 'POST'
  const asked = request({ hostname, port, path, method, headers: { Host: HOST, ...headers } }).end(body)
  const [answer] = await once(asked, 'response')
  const packed = Buffer.concat(await answer.toArray())
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync }[String(answer.headers['content-encoding'])]
  return { status: answer.statusCode as number, text: (unpack?.(packed) ?? packed).toString() }
}

/** Requests the files of all versions, and everything that lists or searches pages, as this reader. */
async function allThatIsTold(headers: Record<string, string>): Promise<string> {
  const names = new Set((await versions()).flatMap(({ manifest }) => Object.keys(manifest.files)))
  const told: string[] = []
  for (const name of names) {
    const { status, text } = await ask(`/${name}`, headers)
    if (status === 200) told.push(text)
    if (name.endsWith('.html')) {
      const bare = `/${name.replace(/(index)?\.html$/, '')}`
      told.push((await ask(bare, { Accept: 'text/markdown', ...headers })).text)
      for (const route of ['/mcp', '/_octavo/mcp'])
        told.push((await callTool(route, 'read_page', { path: bare }, headers)).replaceAll(bare, ''))
    }
  }
  for (const query of ['kingfisher', 'bittern', 'dunlin', 'egret', 'grebe'])
    for (const door of ['', `/sites/${siteId}`]) {
      told.push(
        (await callTool(`/_octavo${door}/mcp`, 'search_docs', { query }, headers)).replaceAll(query, ''),
      )
      told.push((await ask(`/_octavo${door}/search?query=${query}`, headers)).text)
    }
  for (const tool of ['list_pages', 'list_operations']) told.push(await callTool('/mcp', tool, {}, headers))
  told.push(await callMethod('/mcp', 'resources/list', {}, headers))
  return told.join('\n')
}

/** All text the assistant can answer from, for any reader. */
async function passages(place: 'hosted' | 'bundle'): Promise<string> {
  const rows = await octavo.node.context.database.queries
    .selectFrom('assistant_passages')
    .innerJoin('assistant_corpora', 'assistant_corpora.id', 'corpus_id')
    .select(['title', 'body'])
    .where('place', '=', place)
    .execute()
  return rows.map(({ title, body }) => `${title}\n${body}`).join('\n')
}

async function callTool(path: string, name: string, given: object, headers: Record<string, string>) {
  return callMethod(path, 'tools/call', { name, arguments: given }, headers)
}

async function callMethod(path: string, method: string, params: object, headers: Record<string, string>) {
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await ask(path, { ...json, ...headers }, body)).text
}

async function versions(): Promise<{ key: string; manifest: SiteManifest }[]> {
  const { database, objects } = octavo.node.context
  const { manifest_key: key } = await database.queries
    .selectFrom('published_sites')
    .select('manifest_key')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const manifest = await readManifest(objects, key)
  const others = (manifest.audiences ?? []).map(async ({ manifestKey }) => ({
    key: manifestKey,
    manifest: await readManifest(objects, manifestKey),
  }))
  return [{ key, manifest }, ...(await Promise.all(others))]
}

async function reads(headers: Record<string, string>): Promise<string[]> {
  const told = await allThatIsTold(headers)
  assert.match(told, /heron/)
  return Object.keys(WORDS).filter((name) => WORDS[name]?.test(told))
}

async function linkFor(name: string, groups: string[]): Promise<Record<string, string>> {
  const made = await admin.json<CreatedSitePass>(`/internal/projects/${projectId}/access/passes`, {
    method: 'POST',
    body: { kind: 'link', name, groups, days: 1 },
  })
  const { deployments } = await octavo.client.listDeployments(projectId, { limit: 1 })
  await settle(deployments[0]?.deploymentId ?? '')
  await new Promise((resolve) => setTimeout(resolve, 2100))
  return { Authorization: `Bearer ${new URL(made.url ?? '').searchParams.get('link')}` }
}

describe('page groups', () => {
  test('a reader without groups finds no grouped page through any endpoint', async () => {
    assert.deepEqual(await reads({}), [])
    assert.equal((await ask('/partners')).status, 404)
    assert.doesNotMatch((await ask('/')).text, /Dealings|Unfinished/)
    await assistantKnowsNone('hosted')
  })

  test('a reader in a group can read its pages and no others', async () => {
    const partners = await linkFor('Partners', ['partners', 'unknown'])
    const testers = await linkFor('Testers', ['beta'])
    assert.deepEqual(await reads(partners), ['partners', 'both'])
    assert.deepEqual(await reads(testers), ['both', 'beta'])
    assert.match((await ask('/', partners)).text, /Dealings/)
    assert.deepEqual(await reads({}), [], 'what others have read is kept for nobody else')
  })

  test('members read every page', async () => {
    const left = await fetch(`${octavo.url}/_octavo/access/members?to=/`, { redirect: 'manual' })
    assert.equal(left.status, 404, 'the address of the API is no site')
    const token = await memberToken()
    assert.deepEqual(await reads({ Authorization: `Bearer ${token}` }), Object.keys(WORDS))
  })

  test('the versions of all audiences are retained with the deployment', async () => {
    const { database, objects } = octavo.node.context
    const needed = await findNeededObjects({ queries: database.queries, objects }, DEFAULT_RETENTION, {
      isContinued: false,
      signal: new AbortController().signal,
    })
    const all = await versions()
    assert.equal(all.length, 4)
    assert.equal((await needed.needsOf(all.map(({ key }) => key))).size, 4)
  })

  test('a bundle contains only the pages of its audience', async () => {
    const words = async (groups: string[] | undefined) => {
      const features = { assistant: true }
      const body = { domain: HOST, features, ...(groups === undefined ? {} : { groups }) }
      const job = await octavo.finished((await octavo.client.startExport(body)).jobId)
      assert.equal(job.status, 'completed', JSON.stringify(job))
      const { bundleUrl } = await octavo.client.generateBundle(job.jobId)
      const archive = gunzipSync(Buffer.from(await (await fetch(bundleUrl)).arrayBuffer())).toString('latin1')
      return Object.keys(WORDS).filter((name) => WORDS[name]?.test(archive))
    }
    assert.deepEqual(await words(undefined), [])
    await assistantKnowsNone('bundle')
    assert.deepEqual(await words(['beta']), ['both', 'beta'])
    await assistantKnowsNone('bundle')
  })
})

async function assistantKnowsNone(place: 'hosted' | 'bundle') {
  const known = await passages(place)
  assert.match(known, /heron/)
  assert.deepEqual(
    Object.keys(WORDS).filter((name) => WORDS[name]?.test(known)),
    [],
  )
}

async function memberToken() {
  const { createReaderTokens } = await import('../../src/features/hosting/access/reader-token.ts')
  const { queries } = octavo.node.context.database
  const { user_id: id } = await queries.selectFrom('members').select('user_id').executeTakeFirstOrThrow()
  const claim = { kind: 'member', id, expiresAt: Date.now() + 60_000 } as const
  return createReaderTokens(octavo.node.context.secret).sign(projectId, claim)
}
