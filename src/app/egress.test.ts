import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { ConfigError, loadConfig } from './config/config.ts'
import { EGRESS, EGRESS_FEATURES, type EgressFeature } from './config/egress-options.ts'
import { createEgress } from './egress.ts'

let asked = 0
const inner = createServer((_request, response) => {
  asked++
  response.end('inside')
})
before(() => new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve)))
after(() => inner.close())

const place = () => `127.0.0.1:${(inner.address() as AddressInfo).port}`

/** Egress of an operator who lists the private host for these features. */
function listing(features: readonly EgressFeature[]) {
  const env = Object.fromEntries(features.map((feature) => [EGRESS[feature].env, place()]))
  return createEgress(loadConfig({}, env).config)
}

for (const feature of EGRESS_FEATURES)
  test(`${feature}: rejects a host listed only for other features, and its own list allows it`, async () => {
    const url = `http://${place()}/`
    const request = { timeoutMs: 5000, maxBytes: 100, signal: new AbortController().signal }
    const open = { method: 'GET', headers: [], body: null, signal: request.signal }
    const { hostname, port } = new URL(url)
    await using others = listing(EGRESS_FEATURES.filter((other) => other !== feature))
    const before = asked
    await assert.rejects(others.fetchFor(feature).fetch(url, request), {
      kind: 'refused',
      message: `The URL is not on the public internet: the operator can allow it with ${EGRESS[feature].env}.`,
    })
    await assert.rejects(others.fetchFor(feature).open(url, open), { kind: 'refused' })
    await assert.rejects(others.guardFor(feature).resolveAllowedAddresses(hostname, Number(port)))
    await assert.rejects(others.publicFetch.fetch(url, request), { kind: 'refused' })
    assert.equal(asked, before)
    await using own = listing([feature])
    assert.equal((await own.fetchFor(feature).fetch(url, request)).status, 200)
    assert.deepEqual(await own.guardFor(feature).resolveAllowedAddresses(hostname, Number(port)), [
      '127.0.0.1',
    ])
  })

test('a server named in the environment is allowed for its own feature only', () => {
  const { privateHosts } = loadConfig(
    {},
    {
      OCTAVO_MODEL: 'vllm:one',
      OCTAVO_MODEL_URL: 'http://10.0.0.5:8000/v1',
      OCTAVO_ASSISTANT_MODEL: 'ollama:two',
      OCTAVO_MAIL_HOST: 'mail.internal',
      OCTAVO_MAIL_FROM: 'docs@example.com',
      OCTAVO_OIDC_ISSUER: 'https://login.internal/realms/docs',
      OCTAVO_OIDC_CLIENT_ID: 'id',
      OCTAVO_OIDC_CLIENT_SECRET: 'secret',
    },
  ).config
  const nothing = Object.fromEntries(EGRESS_FEATURES.map((feature) => [feature, []]))
  assert.deepEqual(privateHosts, {
    ...nothing,
    models: ['10.0.0.5:8000', '127.0.0.1:11434'],
    mail: ['mail.internal'],
    signIn: ['login.internal'],
  })
})

test('rejects a removed setting or an invalid host and names the valid settings', () => {
  for (const [name, value] of [
    ['OCTAVO_PRIVATE_HOSTS', 'git.internal'],
    ['OCTAVO_ALLOW_PRIVATE_ADDRESSES', 'true'],
  ] as const)
    assert.throws(
      () => loadConfig({}, { [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes(name) &&
        EGRESS_FEATURES.every((feature) => error.message.includes(EGRESS[feature].env)),
    )
  for (const feature of EGRESS_FEATURES)
    assert.throws(
      () => loadConfig({}, { [EGRESS[feature].env]: '*' }),
      (error) => error instanceof ConfigError && error.message.includes(EGRESS[feature].env),
    )
})
