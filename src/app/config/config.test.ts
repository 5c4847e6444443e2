import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_RETENTION } from '../../base/api/retention.ts'
import { LIMIT_NAMES, LIMITS } from '../../features/limits.ts'
import { JOBS } from '../../queue/job-settings.ts'
import {
  ConfigError,
  describeConfig,
  describeUnknownSettings,
  loadConfig,
  removeSecretsFromEnv,
} from './config.ts'
import { exampleEnv, OPTIONS } from './config-options.ts'

test('without settings, the database is embedded and objects are stored on disk', () => {
  const { config, secrets } = loadConfig({}, {})
  assert.equal(config.port, 4000)
  assert.deepEqual(config.database, { kind: 'embedded' })
  assert.deepEqual(config.objects, { kind: 'disk' })
  assert.deepEqual(config.limits.analytics, { count: 100, seconds: 3600 })
  assert.equal(secrets.databaseUrl, null)
})

test('loadConfig reads every known setting', () => {
  const asked = new Set<string>()
  const env = new Proxy<Record<string, string>>(
    { OCTAVO_S3_BUCKET: 'x', OCTAVO_OIDC_ISSUER: 'x', OCTAVO_OIDC_CLIENT_ID: 'x' },
    {
      get: (variables, name) => {
        asked.add(String(name))
        return variables[String(name)]
      },
    },
  )
  assert.throws(() => loadConfig({}, env), ConfigError)
  assert.deepEqual(
    Object.values(OPTIONS).filter((option) => !asked.has(option.env)),
    [],
  )
})

test('each rate limit is set by its own variable', () => {
  const env = Object.fromEntries(LIMIT_NAMES.map((name, place) => [LIMITS[name].env, `${place + 1}/7`]))
  const set = Object.fromEntries(LIMIT_NAMES.map((name, place) => [name, { count: place + 1, seconds: 7 }]))
  assert.deepEqual(loadConfig({}, env).config.limits, set)
})

test('accepts a whole number up to the maximum of its setting', () => {
  const { config } = loadConfig({}, { OCTAVO_ASSISTANT_TOKENS: '100000000000' })
  assert.equal(config.assistant.monthly.tokens, 100_000_000_000)
  assert.throws(() => loadConfig({}, { OCTAVO_ASSISTANT_TOKENS: '100000000001' }), /from 0 to 100000000000/)
})

test('reports for each secret whether it is set', () => {
  const { config, secrets } = loadConfig({}, { OCTAVO_METRICS_TOKEN: 'x'.repeat(32) })
  const described = describeConfig(config, secrets).secrets as object
  assert.deepEqual(Object.keys(described).sort(), Object.keys(secrets).sort())
  assert.equal((described as { metricsToken: string }).metricsToken, 'set')
})

test('a node with role site reads no secrets for git, mail, sign-in or backups', () => {
  const text = 'postgres://a-secret-of-at-least-thirty-two-characters'
  const env = Object.fromEntries(
    Object.values(OPTIONS)
      .filter((option) => 'isSecret' in option)
      .map((option) => [option.env, text]),
  )
  const { secrets } = loadConfig(
    { role: 'site' },
    { ...env, OCTAVO_MAIL_FROM: 'half of the settings of mail' },
  )
  const isRead = ([, value]: [string, unknown]) => JSON.stringify(value).includes(text)
  assert.deepEqual(
    Object.entries(secrets)
      .filter(isRead)
      .map(([name]) => name),
    ['databaseUrl', 'databaseDirectUrl', 's3', 'secret', 'modelKeys', 'metricsToken'],
  )
})

test('removes secrets from the environment and nothing else', () => {
  const env = { PORT: '81', OCTAVO_SECRET: 'x', OCTAVO_MODEL_KEY: 'y', DATABASE_URL: 'z', PATH: '/bin' }
  removeSecretsFromEnv(env)
  assert.deepEqual(env, { PORT: '81', PATH: '/bin' })
})

test('a flag overrides its variable, and an empty variable counts as unset', () => {
  const { config } = loadConfig({ port: '0' }, { PORT: '81', HOST: '' })
  assert.equal(config.port, 0)
  assert.equal(config.host, '127.0.0.1')
})

test('reports all faults and contradictions at once, without the text of a secret', () => {
  const env = {
    PORT: '70000',
    OCTAVO_ROLE: 'api',
    OCTAVO_SECRET: 'hunter2',
    OCTAVO_S3_PREFIX: 'x/',
    OCTAVO_S3_ACCESS_KEY_ID: 'id',
    OCTAVO_LIMIT_EXPORTS: 'many',
    OCTAVO_PUBLIC_URL: 'https://example.com/docs',
    DATABASE_URL: 'mysql://somewhere',
  }
  assert.throws(
    () => loadConfig({}, env),
    (error) => {
      assert.ok(error instanceof ConfigError)
      const text = error.faults.join('\n')
      for (const name of [
        'PORT',
        'OCTAVO_SECRET',
        'OCTAVO_S3_BUCKET',
        'OCTAVO_S3_SECRET',
        'OCTAVO_LIMIT_EXPORTS',
        'OCTAVO_PUBLIC_URL',
        'DATABASE_URL',
      ])
        assert.ok(text.includes(name), `${name} is missing in:\n${text}`)
      assert.ok(!text.includes('hunter2'))
      return true
    },
  )
})

test('forges are configured by host, and an incomplete GitHub App or an invalid key is a fault', () => {
  const { config } = loadConfig({}, { OCTAVO_FORGES: 'Git.example.com:3000=gitea, code.example.com=Forgejo' })
  assert.deepEqual(config.forges.kinds, { 'git.example.com:3000': 'gitea', 'code.example.com': 'gitea' })
  const faultsOf = (env: Record<string, string>) => {
    try {
      loadConfig({}, env)
    } catch (error) {
      return (error as ConfigError).faults.join('\n')
    }
    return ''
  }
  assert.match(faultsOf({ OCTAVO_FORGES: 'git.example.com=svn' }), /OCTAVO_FORGES must be/)
  assert.match(faultsOf({ OCTAVO_FORGES: 'https://git.example.com=gitea' }), /OCTAVO_FORGES must be/)
  assert.match(faultsOf({ OCTAVO_GITHUB_APP_ID: '12' }), /must be used together/)
  const noKey = { OCTAVO_GITHUB_APP_ID: '12', OCTAVO_GITHUB_APP_KEY_FILE: import.meta.filename }
  assert.match(faultsOf(noKey), /OCTAVO_GITHUB_APP_KEY_FILE must be a file/)
})

test('reads the private key of a GitHub App and never prints it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const file = join(folder, 'app.pem')
  writeFileSync(file, pem)
  const env = { OCTAVO_GITHUB_APP_ID: '12', OCTAVO_GITHUB_APP_KEY_FILE: file }
  const { config, secrets } = loadConfig({}, env)
  assert.deepEqual(secrets.githubApp, { appId: '12', privateKey: pem })
  assert.ok(!JSON.stringify(describeConfig(config, secrets)).includes('PRIVATE KEY'))
})

test('octavo config prints no secrets', () => {
  const url = 'postgres://octavo:correcthorse@db/octavo'
  const { config, secrets } = loadConfig({}, { DATABASE_URL: url, OCTAVO_GIT_TOKENS: 'github.com=ghp_token' })
  const printed = JSON.stringify(describeConfig(config, secrets))
  assert.ok(!printed.includes('correcthorse'))
  assert.ok(!printed.includes('ghp_token'))
  assert.ok(printed.includes('"gitTokens":["github.com"]'))
})

test('example.env matches the options', () => {
  const file = new URL('../../../example.env', import.meta.url)
  assert.equal(
    readFileSync(file, 'utf8'),
    exampleEnv(),
    'run: npm run -s octavo -- config --example > example.env',
  )
})

test('configures a model with its key, prices and caps', () => {
  const { config, secrets } = loadConfig(
    {},
    {
      OCTAVO_MODEL: 'anthropic:claude-sonnet-4-5',
      ANTHROPIC_API_KEY: ' sk-ant-hunter2hunter2 ',
      OCTAVO_MODEL_PRICES: 'anthropic:claude-sonnet-4-5=3/15',
      OCTAVO_AGENT_STEPS: '5',
    },
  )
  assert.deepEqual(config.agent.model, {
    name: 'anthropic:claude-sonnet-4-5',
    url: null,
    recordFile: null,
    replayFile: null,
  })
  assert.deepEqual(config.agent.prices, { 'anthropic:claude-sonnet-4-5': { input: 3, output: 15 } })
  assert.deepEqual(config.agent.caps, {
    steps: 5,
    tokens: 2_000_000,
    minutes: 30,
    files: 50,
    bytes: 2_097_152,
  })
  assert.deepEqual(secrets.modelKeys, { anthropic: 'sk-ant-hunter2hunter2' })
  assert.ok(!JSON.stringify(describeConfig(config, secrets)).includes('hunter2'))
})

test('a replay model is named after its file, without the folder', () => {
  const { model } = loadConfig({}, { OCTAVO_MODEL: 'replay:/srv/recorded/tour.json' }).config.agent
  assert.equal(model?.name, 'replay:tour')
  assert.equal(model?.replayFile, '/srv/recorded/tour.json')
})

test('without a model, agent jobs are off even if a provider key is set', () => {
  assert.equal(loadConfig({}, { OPENAI_API_KEY: 'sk-x' }).config.agent.model, null)
})

test('an unusable model configuration is reported at startup with a remedy', () => {
  const faults = (env: Record<string, string>) => {
    try {
      loadConfig({}, env)
      return []
    } catch (error) {
      assert.ok(error instanceof ConfigError)
      return error.faults
    }
  }
  const cases: [Record<string, string>, RegExp][] = [
    [{ OCTAVO_MODEL: 'claude' }, /<provider>:<model>/],
    [{ OCTAVO_MODEL: 'skynet:t-800' }, /openai-compatible/],
    [{ OCTAVO_MODEL: 'openai:gpt-5' }, /Set OPENAI_API_KEY/],
    [{ OCTAVO_MODEL: 'openai-compatible:qwen' }, /Set OCTAVO_MODEL_URL/],
    [{ OCTAVO_MODEL_URL: 'http://127.0.0.1:8000/v1' }, /OCTAVO_MODEL is not set/],
    [{ OCTAVO_MODEL: 'vllm:qwen', OCTAVO_MODEL_URL: 'http://me:secret@host/v1' }, /OCTAVO_MODEL_URL/],
    [{ OCTAVO_MODEL: 'vllm:qwen', OCTAVO_MODEL_URL: 'host:8000' }, /OCTAVO_MODEL_URL/],
    [{ OCTAVO_MODEL: 'ollama:qwen', OCTAVO_MODEL_PRICES: 'qwen=1' }, /OCTAVO_MODEL_PRICES/],
    [{ OCTAVO_MODEL: 'replay:tour.json', OCTAVO_MODEL_RECORD: 'x.json' }, /cannot record/],
    [{ OCTAVO_MODEL: 'vllm:qwen', OCTAVO_MODEL_KEY: 'hunter 2' }, /characters/],
    [{ OCTAVO_AGENT_MINUTES: '0' }, /OCTAVO_AGENT_MINUTES/],
  ]
  for (const [env, expected] of cases) {
    const found = faults(env)
    assert.equal(found.length, 1, `${JSON.stringify(env)}: ${found.join('\n')}`)
    assert.match(found[0] ?? '', expected)
    assert.doesNotMatch(found[0] ?? '', /hunter|secret/)
  }
  assert.deepEqual(faults({ OCTAVO_MODEL: 'ollama:qwen3:8b' }), [])
})

test('single sign-on requires issuer, ID and secret together, and its secret is never printed', () => {
  const whole = {
    OCTAVO_OIDC_ISSUER: 'https://login.example.com/realms/docs/',
    OCTAVO_OIDC_CLIENT_ID: 'octavo',
    OCTAVO_OIDC_CLIENT_SECRET: 'hunter2',
    OCTAVO_OIDC_DOMAIN: '@Example.com',
  }
  const { config, secrets } = loadConfig({}, whole)
  assert.deepEqual(config.oidc, {
    vouchesForDomains: false,
    asksSecondFactor: false,
    issuer: 'https://login.example.com/realms/docs',
    clientId: 'octavo',
    name: 'Single sign-on',
    domains: ['example.com'],
    role: 'viewer',
  })
  assert.ok(!JSON.stringify(describeConfig(config, secrets)).includes('hunter2'))
  assert.equal(loadConfig({}, {}).config.oidc, null)
  const { OCTAVO_OIDC_CLIENT_SECRET, ...half } = whole
  assert.ok(OCTAVO_OIDC_CLIENT_SECRET)
  assert.throws(() => loadConfig({}, half), /OCTAVO_OIDC_ISSUER, OCTAVO_OIDC_CLIENT_ID/)
  assert.throws(() => loadConfig({}, { ...whole, OCTAVO_OIDC_ISSUER: 'login.example.com' }), /http or https/)
  assert.throws(() => loadConfig({}, { ...whole, OCTAVO_OIDC_ROLE: 'owner' }), /OCTAVO_OIDC_ROLE/)
})

test('retention days default to the table and can be overridden per kind', () => {
  const { config } = loadConfig({}, { OCTAVO_RETENTION: 'exports=7, audit=0' })
  assert.deepEqual(config.storage.retention, { ...DEFAULT_RETENTION, exports: 7, audit: 0 })
  for (const text of ['exports', 'exports=-1', 'pages=3', 'exports=4000'])
    assert.throws(() => loadConfig({}, { OCTAVO_RETENTION: text }), /OCTAVO_RETENTION must be <kind>=<days>/)
})

test('the storage grace period must exceed the longest job deadline', () => {
  const longest = Math.max(...Object.values(JOBS).map(({ deadlineSeconds }) => deadlineSeconds))
  assert.ok(loadConfig({}, { OCTAVO_STORAGE_GRACE_HOURS: '7' }).config.storage.graceSeconds > longest)
  assert.throws(() => loadConfig({}, { OCTAVO_STORAGE_GRACE_HOURS: '6' }), /from 7 to 8760/)
})

test('an unknown setting is reported with the closest known one', () => {
  const lines = describeUnknownSettings({
    OCTAVO_LIMIT_EXPORT: '1/60',
    OCTAVO_QUITE_ANOTHER_THING_ALTOGETHER: 'x',
    OCTAVO_SECRET: 'x',
    OCTAVO_URL: 'http://localhost',
    HOME: '/root',
  })
  assert.deepEqual(lines, [
    'OCTAVO_LIMIT_EXPORT is not a known setting. Did you mean OCTAVO_LIMIT_EXPORTS?',
    'OCTAVO_QUITE_ANOTHER_THING_ALTOGETHER is not a known setting.',
  ])
})
