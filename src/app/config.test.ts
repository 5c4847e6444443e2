import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError, describeConfig, loadConfig } from './config.ts'
import { exampleEnv } from './config-options.ts'

test('with nothing set, a node is embedded, on disk and local', () => {
  const { config, secrets } = loadConfig({}, {})
  assert.equal(config.port, 4000)
  assert.deepEqual(config.database, { kind: 'embedded' })
  assert.deepEqual(config.objects, { kind: 'disk' })
  assert.deepEqual(config.limits.analytics, { count: 100, seconds: 3600 })
  assert.equal(secrets.databaseUrl, null)
})

test('a flag wins over its variable, and an empty variable counts as left out', () => {
  const { config } = loadConfig({ port: '0' }, { PORT: '81', HOST: '' })
  assert.equal(config.port, 0)
  assert.equal(config.host, '127.0.0.1')
})

test('all faults and contradictions are told at once, without the text of a secret', () => {
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

test('what octavo config prints holds no secret', () => {
  const url = 'postgres://octavo:correcthorse@db/octavo'
  const { config, secrets } = loadConfig({}, { DATABASE_URL: url, OCTAVO_GIT_TOKENS: 'github.com=ghp_token' })
  const printed = JSON.stringify(describeConfig(config, secrets))
  assert.ok(!printed.includes('correcthorse'))
  assert.ok(!printed.includes('ghp_token'))
  assert.ok(printed.includes('"gitTokens":["github.com"]'))
})

test('example.env is the one that the options give', () => {
  const file = new URL('../../example.env', import.meta.url)
  assert.equal(
    readFileSync(file, 'utf8'),
    exampleEnv(),
    'run: npm run -s octavo -- config --example > example.env',
  )
})
