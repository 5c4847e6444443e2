/** `octavo doctor` checks the effective model: from the environment, otherwise from the dashboard. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeInstanceSettings } from '../../src/features/accounts/settings/instance-settings.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { replies, startModelServer } from '../kit/model-server.ts'
import { runOctavo } from '../kit/octavo-command.ts'

let database: TestDatabase
let folder: string
before(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'octavo-doctor-model-'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

const findModel = (env: Record<string, string> = {}) => find('model', env)

async function find(wanted: string, env: Record<string, string>) {
  const { stdout } = await runOctavo(['doctor', '--json'], {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DATA: join(folder, 'data'),
      HOME: folder,
      OCTAVO_MODEL_PRIVATE_HOSTS: '127.0.0.1',
      ...env,
    },
  })
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; state: string; message: string; remedy: string | null }[]
  }
  return findings.find(({ check }) => check === wanted)
}

const choose = (model: string, modelUrl: string) =>
  database.transaction((tx) => writeInstanceSettings(tx, 'cli', { model, modelUrl }))

test('doctor checks the model set in the dashboard, and a fault points to the Server page', async () => {
  assert.match((await findModel())?.message ?? '', /^Not configured/)
  await using server = await startModelServer(() => replies({ text: 'Here.' }))
  await choose('openai-compatible:harbour-1', server.url)
  assert.deepEqual(await findModel(), {
    check: 'model',
    state: 'ok',
    message: 'openai-compatible:harbour-1 responds.',
    remedy: null,
  })
  await choose('openai-compatible:harbour-1', 'http://127.0.0.1:2')
  const away = await findModel()
  assert.equal(away?.state, 'fault')
  assert.match(away?.remedy ?? '', /Server page of the dashboard/)
})

test('OCTAVO_MODEL overrides the model set in the dashboard', async () => {
  await choose('openai-compatible:harbour-1', 'http://127.0.0.1:2')
  const found = await findModel({ OCTAVO_MODEL: 'replay:missing.json' })
  assert.match(found?.message ?? '', /^The recording .*missing\.json does not exist/)
})

test('an empty or unreachable database is not reported as a fault of the model', async () => {
  await using empty = await openTestDatabase({ isEmpty: true })
  assert.equal((await findModel({ DATABASE_URL: empty.url }))?.state, 'ok')
  assert.equal(await findModel({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }), undefined)
})

test('doctor contacts the hosts of git tokens', async () => {
  const found = await find('forges', { OCTAVO_GIT_TOKENS: '127.0.0.1:2/acme=secret-token' })
  assert.equal(found?.state, 'fault')
  assert.match(found?.message ?? '', /^127\.0\.0\.1:2 cannot be reached/)
})
