/** Language model of an instance, set and tested by operators over HTTP on two nodes, with real model servers. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createAgentServices } from '../../src/app/agent.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import type {
  InstanceModel,
  InstanceModelBody,
  ModelConnectionTest,
} from '../../src/features/accounts/operations/instance.ts'
import type { AuditList } from '../../src/features/accounts/operations/organization.ts'
import { dropOperator } from '../../src/features/accounts/people/operators.ts'
import { findUserByEmail } from '../../src/features/accounts/people/users.ts'
import { writeInstanceSettings } from '../../src/features/accounts/settings/instance-settings.ts'
import { testModel } from '../../src/model/test-model.ts'
import { listedGuard } from '../kit/git.ts'
import { abandonedAddress } from '../kit/model-misbehaviours.ts'
import { refuses, replies, startModelServer } from '../kit/model-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { patience, until } from '../kit/until.ts'

const KEY = 'sk-of-the-harbour-7421'
const MODEL = '/internal/instance/model'
const NOTHING: InstanceModelBody = { model: null, url: null, contextTokens: null, assistant: null }
const READY = replies({ toolCalls: [{ name: 'ready', input: { word: 'ready' } }] })

let octavo: TestNode
let operator: Browser

before(async () => {
  octavo = await startTestNode({
    ANTHROPIC_API_KEY: 'sk-of-the-environment',
    OCTAVO_MODEL_PRIVATE_HOSTS: '127.0.0.1',
  })
  operator = await enter('operator@example.com', { isOperator: true })
})
after(() => octavo[Symbol.asyncDispose]())

async function enter(email: string, { isOperator = false, role = 'owner' as const } = {}): Promise<Browser> {
  const { database } = octavo.node.context
  const { organizationId } = octavo
  const { id } = await addPerson(database, { email, organizationId, role })
  if (isOperator)
    await database.queries.insertInto('operators').values({ user_id: id, made_by: 'cli' }).execute()
  return await signedIn(octavo.url, { email, organizationId })
}

const change = (body: Partial<InstanceModelBody>) =>
  operator.json<InstanceModel>(MODEL, { method: 'PATCH', body: { ...NOTHING, ...body } })
const trial = (body: Partial<InstanceModelBody>) =>
  operator.post<ModelConnectionTest>(`${MODEL}/test`, { ...NOTHING, ...body })

async function refusal(method: string, body: Partial<InstanceModelBody>, path = MODEL) {
  const response = await operator.ask(path, { method, body: { ...NOTHING, ...body } })
  const { code, details = [] } = (await response.json()) as { code: string; details?: { field: string }[] }
  return [response.status, code, details.map(({ field }) => field)]
}

test('a model set by an operator is used by every node with its key, without a restart', async () => {
  await using server = await startModelServer(() => READY)
  await using other = await startTestNode({
    DATABASE_URL: octavo.databaseUrl,
    OCTAVO_DATA: octavo.dataFolder,
    OCTAVO_MODEL_PRIVATE_HOSTS: '127.0.0.1',
  })
  assert.equal(other.node.context.models.current().model, null)
  const model = 'openai-compatible:harbour-1'
  const saved = await change({ model, url: server.url, contextTokens: 64_000, assistant: model, key: KEY })
  assert.deepEqual(
    [saved.source, saved.model, saved.contextUsed, saved.key?.source, saved.key?.lastFour, saved.changedBy],
    ['dashboard', model, 64_000, 'dashboard', '7421', 'Ada Lovelace'],
  )
  for (const { node } of [octavo, other]) {
    await until(() => node.context.models.current().model?.name === model)
    const parts = createAgentServices(
      node.context,
      loadConfig({}, { DATABASE_URL: octavo.databaseUrl }).secrets,
    )
    assert.equal(parts.agent.modelName, model)
    assert.equal(parts.run.contextOf(model), 64_000)
    assert.notEqual(parts.assistant(), null)
    const request = { system: '', messages: [{ role: 'user' as const, text: 'Hello' }], tools: [] }
    await parts.run.openModel(model, null).answer({ ...request, maxOutputTokens: 100 }, patience())
    await parts.run.toolSandboxes[Symbol.asyncDispose]()
  }
  assert.deepEqual(server.authorizations, [`Bearer ${KEY}`, `Bearer ${KEY}`])
  await change({})
  await until(() => other.node.context.models.current().model === null)
})

test('the model key appears in no response or audit log entry and is stored encrypted', async () => {
  await using server = await startModelServer(() => READY)
  await change({ model: 'vllm:one', url: server.url, key: KEY })
  const answers = [
    await (await operator.ask(MODEL)).text(),
    await (await operator.ask('/internal/audit')).text(),
  ]
  const { rows } = await octavo.node.context.database.pool.query(
    "SELECT coalesce(value, '') || coalesce(encode(sealed, 'escape'), '') AS text FROM instance_settings",
  )
  answers.push(JSON.stringify(rows))
  for (const answer of answers) assert.ok(!answer.includes(KEY))
  const { rows: audit } = JSON.parse(answers[1] ?? '') as AuditList
  const row = audit.find(({ action }) => action === 'instance.model_changed')
  assert.deepEqual(row?.details, {
    model: 'vllm:one',
    url: server.url,
    contextTokens: null,
    assistant: null,
    key: 'set',
  })
})

test('a stored model key is sent only to the URL it was saved for', async () => {
  await using first = await startModelServer(() => READY)
  await using second = await startModelServer(() => READY)
  await change({ model: 'vllm:one', url: first.url, key: KEY })
  assert.equal((await trial({ model: 'vllm:two', url: first.url })).callsTools, true)
  assert.equal((await trial({ model: 'vllm:two', url: second.url })).callsTools, true)
  assert.deepEqual([first.authorizations, second.authorizations], [[`Bearer ${KEY}`], ['']])
  const kept = await change({ model: 'vllm:two', url: first.url })
  assert.equal(kept.key?.isUsable, true)
  const moved = await change({ model: 'vllm:two', url: second.url })
  assert.equal(moved.key, null)
  // A provider that needs a key requires it again for a new URL. The key from the environment is used only with the
  // provider's own URL.
  assert.deepEqual(await refusal('PATCH', { model: 'anthropic:claude-x', url: second.url }), [
    400,
    'invalid_request',
    ['/key'],
  ])
  const own = await change({ model: 'anthropic:claude-x' })
  assert.deepEqual([own.key?.source, own.key?.lastFour], ['environment', null])
  await change({})
})

test('reports each invalid model setting at its field', async () => {
  const cases: [Partial<InstanceModelBody>, string][] = [
    [{ model: 'nobody:x' }, '/model'],
    [{ model: 'replay:/etc/passwd' }, '/model'],
    [{ model: 'openai-compatible:x' }, '/url'],
    [{ model: 'vllm:x', url: 'file:///etc/passwd' }, '/url'],
    [{ model: 'vllm:x', url: 'http://user:secret@127.0.0.1/v1' }, '/url'],
    [{ url: 'http://127.0.0.1/v1' }, '/url'],
    [{ model: 'openai:gpt-5' }, '/key'],
    [{ model: 'openai:gpt-5', key: 'with a space' }, '/key'],
    [{ model: 'vllm:x', assistant: 'ollama:y' }, '/assistant'],
    [{ model: 'vllm:x', contextTokens: 10 }, '/contextTokens'],
    [{ model: `vllm:${'x'.repeat(300)}` }, '/model'],
  ]
  for (const [body, field] of cases)
    assert.deepEqual(
      await refusal('PATCH', body),
      [400, 'invalid_request', [field]],
      `${JSON.stringify(body)}`,
    )
  assert.deepEqual(await refusal('POST', {}, `${MODEL}/test`), [400, 'invalid_request', ['/model']])
})

test('the model connection test reports the outcome and how to fix a failure', async () => {
  const ask = async (behave: Parameters<typeof startModelServer>[0]) => {
    await using server = await startModelServer(behave)
    return await trial({ model: 'vllm:one', url: server.url, key: KEY })
  }
  const good = await ask(() => READY)
  assert.deepEqual([good.callsTools, good.failure], [true, null])
  const talker = await ask(() => replies({ text: 'I am ready, but call nothing.' }))
  assert.deepEqual([talker.callsTools, talker.said], [false, 'I am ready, but call nothing.'])
  const refused = await ask(() => refuses(401, `the key ${KEY} is wrong`))
  assert.match(refused.failure?.sentence ?? '', /key/)
  assert.ok(!JSON.stringify(refused).includes(KEY), 'what the provider quotes of the key is cut')
  assert.match((await ask(() => refuses(404, 'no model one')))?.failure?.remedy ?? '', /name of the model/)
  const { rows } = await operator.json<AuditList>('/internal/audit?action=instance.model_tested')
  assert.equal((rows[0]?.details as { answered?: boolean } | undefined)?.answered, false)
})

const answering = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the connection test tells apart an HTML page, an oversized response, silence, a redirect and a closed port', async () => {
  const look = async (name: string, url: string, limits = {}) => {
    const settings = { name: 'vllm:one', url, replayFile: null, recordFile: null }
    const { failure } = await testModel(settings, {}, listedGuard, limits)
    assert.ok(failure !== null && failure.remedy !== '', name)
    return failure.sentence
  }
  await using page = await answering((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to the router</h1>'),
  )
  assert.match(await look('page', page.url), /sent an invalid response/)
  await using flood = await answering((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const chunk = { choices: [{ index: 0, delta: { content: 'x'.repeat(64 * 1024) } }] }
    for (let index = 0; index < 160; index++) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  assert.match(await look('flood', flood.url), /more than 262144 bytes/)
  await using silent = await answering(() => {})
  assert.match(await look('silent', silent.url, { firstByteMs: 300 }), /sent nothing for 0\.3 seconds/)
  await using elsewhere = await answering((_request, response) =>
    response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
  )
  assert.match(await look('elsewhere', elsewhere.url), /redirects to http:\/\/169\.254\.169\.254/)
  assert.match(await look('nobody', await abandonedAddress()), /nothing is listening/)
})

test('an owner who is not an operator cannot read, change or test the model settings', async () => {
  const owner = await enter('owner@example.com')
  for (const [method, path] of [
    ['GET', MODEL],
    ['PATCH', MODEL],
    ['POST', `${MODEL}/test`],
  ] as const) {
    const response = await owner.ask(path, { method, body: NOTHING })
    assert.equal(response.status, 403)
    assert.equal(((await response.json()) as { code: string }).code, 'operator_missing')
  }
})

test('a former operator is refused immediately in an open session', async () => {
  const former = await enter('former@example.com', { isOperator: true })
  assert.equal((await former.ask(MODEL)).status, 200)
  const { transaction, queries } = octavo.node.context.database
  const user = await findUserByEmail(queries, 'former@example.com')
  assert.ok(user !== null)
  await transaction((tx) => dropOperator(tx, user, 'cli'))
  const response = await former.ask(MODEL)
  assert.deepEqual(
    [response.status, ((await response.json()) as { code: string }).code],
    [403, 'operator_missing'],
  )
})

test('a model of an unknown provider is shown and can be replaced', async () => {
  await octavo.node.context.database.transaction((tx) =>
    writeInstanceSettings(tx, 'cli', { model: 'tomorrow:model-1', modelUrl: null }),
  )
  const shown = await operator.json<InstanceModel>(MODEL)
  assert.deepEqual([shown.model, shown.key], ['tomorrow:model-1', null])
  assert.equal((await change({})).source, 'none')
})

test('model settings from the environment are shown and cannot be changed', async () => {
  await using set = await startTestNode({
    DATABASE_URL: octavo.databaseUrl,
    OCTAVO_DATA: octavo.dataFolder,
    OCTAVO_MODEL: 'vllm:of-the-environment',
    OCTAVO_MODEL_KEY: 'sk-env-0000000000',
  })
  const browser = await signedIn(set.url, {
    email: 'operator@example.com',
    organizationId: octavo.organizationId,
  })
  const shown = await browser.json<InstanceModel>(MODEL)
  assert.deepEqual(
    [shown.source, shown.variables, shown.model, shown.key?.source],
    ['environment', ['OCTAVO_MODEL'], 'vllm:of-the-environment', 'environment'],
  )
  const response = await browser.ask(MODEL, { method: 'PATCH', body: NOTHING })
  assert.equal(((await response.json()) as { code: string }).code, 'set_by_environment')
})

test('at most two connection tests run at a time, and a third is refused immediately', async () => {
  let waiting = 0
  const silent = await answering(() => void waiting++)
  const body = { model: 'vllm:one', url: silent.url }
  const two = [trial(body), trial(body)]
  await until(() => waiting === 2)
  assert.deepEqual(await refusal('POST', body, `${MODEL}/test`), [409, 'test_running', []])
  await silent[Symbol.asyncDispose]()
  for (const { failure } of await Promise.all(two))
    assert.match(failure?.sentence ?? '', /closed the connection/)
  assert.equal((await trial({ ...body, url: 'http://127.0.0.1:1/v1' })).failure === null, false)
})
