/**
 * Clients that are generated from the shapes of other platforms, by two generators: they compile, call every operation of
 * a running server, and what they are answered is what their types say.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { build } from 'esbuild'
import openapiTypes, { astToString } from 'openapi-typescript'
import { generate } from 'openapi-typescript-codegen'
import { createApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import { type AssistantScene, passage, putPassages, startAssistant } from '../assistant/assistant-scene.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { jsonRequest } from '../http/api-under-test.ts'
import { publishSite, SHOP } from '../mcp/mcp-scene.ts'
import type { Things } from './programs/things.ts'
import { UPSTREAM_OPERATIONS, upstreamDescription } from './upstream.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Below the clone, so that its packages are found. */
const FOLDER = join(ROOT, '.cache', `clients-${process.pid}`)
const ajv = new Ajv({ strict: false, formats: { 'date-time': true } })

let scene: AssistantScene
let things: Things
let proxy: Awaited<ReturnType<typeof watch>>

before(async () => {
  await mkdir(FOLDER, { recursive: true })
  scene = await startAssistant()
  things = await prepare(scene)
  proxy = await watch(things.baseUrl)
  things = { ...things, baseUrl: proxy.url }
  await cp(join(import.meta.dirname, 'programs'), FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), '{ "type": "module" }')
  const description = upstreamDescription()
  await writeFile(
    join(FOLDER, 'types.ts'),
    astToString(await openapiTypes(structuredClone(description) as never)),
  )
  await generate({ input: structuredClone(description), output: join(FOLDER, 'codegen'), useOptions: true })
})
after(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await scene?.[Symbol.asyncDispose]()
  await rm(FOLDER, { recursive: true, force: true })
})

/** A published site with an assistant, readers' words and an automation; nobody works on its jobs. */
async function prepare({ api, say }: AssistantScene): Promise<Things> {
  const { database } = api
  const site = await publishSite(api, 'shop', SHOP)
  const { projectId, organizationId, key } = site
  const text = 'Refunds have no fees.'
  await putPassages(
    database,
    projectId,
    [passage({ path: '/guides/refunds', title: 'Refunds', text })],
    'hosted',
  )
  say({ say: text, passage: 1, quote: 'Refunds have no fees' })
  await putRows(database, projectId, [{}, { source: 'code_snippet', code: 'ls' }, { source: 'thumbs_only' }])
  await database.pool.query(
    `INSERT INTO analytics_counts (project_id, dimension, period, starts_at, key, page, human, ai)
     SELECT $1, dimension, 'day', date_trunc('day', now() - interval '1 day'), key, '', 3, 1
     FROM (VALUES ('search', 'refunds'), ('page', '/guides/refunds')) AS row (dimension, key)`,
    [projectId],
  )
  await database.pool.query(
    `UPDATE all_projects SET source_kind = 'git', repository = 'https://93.184.216.34/docs.git' WHERE id = $1`,
    [projectId],
  )
  const assistant = await database.transaction((tx) =>
    createApiKey(tx, {
      ...{ organizationId, name: 'reader', actor: 'test', makerId: null },
      ...{ kind: 'assistant', projectIds: [projectId] },
    }),
  )
  const made = await api.fetch(
    `/v2/agent/${projectId}/automations`,
    jsonRequest('POST', key, { name: 'weekly', trigger: { kind: 'push' }, prompt: 'Look.' }),
  )
  const { automationId } = (await made.json()) as { automationId: string }
  return {
    ...{ baseUrl: api.url, key, assistantKey: assistant.text, projectId, automationId },
    domain: 'shop.example.com',
    finishExport: (jobId) => api.completeExport(jobId, Buffer.from('an archive')),
  }
}

/** In front of the server: holds each answer against the description, and tells which operations were answered. */
async function watch(target: string) {
  const answered = new Set<string>()
  const faults: string[] = []
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const operation = UPSTREAM_OPERATIONS.find(
      ({ method, pattern }) => method === request.method && pattern.test(path),
    )
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { ...request.headers } as Record<string, string>
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete headers[name]
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      signal: gone.signal,
    })
    const told = `${request.method} ${path}: ${answer.status}`
    if (answer.status !== operation?.status) faults.push(`${told}, not ${operation?.status}`)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (operation?.answer === null) {
      answered.add(operation.id)
      try {
        for await (const chunk of answer.body ?? []) response.write(chunk)
      } catch {
        // The client has gone.
      }
      response.end()
      return
    }
    const body = await answer.text()
    if (operation?.answer !== undefined) {
      answered.add(operation.id)
      const isValid = ajv.compile(operation.answer as object)
      if (!isValid(JSON.parse(body))) faults.push(`${told} ${ajv.errorsText(isValid.errors)}: ${body}`)
    }
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    /** What was seen since the last time. */
    take() {
      const seen = { answered: [...answered].sort(), faults: [...faults] }
      answered.clear()
      faults.length = 0
      return seen
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the generated clients compile with the programs that use their responses', async () => {
  const options = {
    ...{
      target: 'ES2024',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2025', 'DOM', 'DOM.Iterable'],
    },
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
    paths: { 'generated/*': ['./*'] },
  }
  const files = ['with-openapi-fetch.ts', 'with-codegen.ts']
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const compiler = join(ROOT, 'node_modules/typescript/lib/tsc.js')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', FOLDER]).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

for (const name of ['with-openapi-fetch', 'with-codegen'])
  test(`every operation called ${name.replace('-', ' ')} returns a response that matches its schema`, async () => {
    const outfile = join(FOLDER, `${name}.mjs`)
    const entry = join(FOLDER, `${name}.ts`)
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      alias: { 'generated/codegen': join(FOLDER, 'codegen/index.ts') },
    })
    const { callAll } = (await import(pathToFileURL(outfile).href)) as {
      callAll(things: Things): Promise<void>
    }
    await callAll(things)
    const { answered, faults } = proxy.take()
    assert.deepEqual(faults, [])
    assert.deepEqual(answered, UPSTREAM_OPERATIONS.map(({ id }) => id).sort())
  })
