/** Every response of the static export and deployment operations over HTTP. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { revokeApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import type { ExportJob, ExportJobList } from '../../src/features/export/operations/static-export.ts'
import {
  type ApiUnderTest,
  JOBS,
  jsonRequest,
  makeKey,
  makeTenant,
  messagesOf,
  startApi,
  startJob,
  withKey,
} from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { exportStarts: { count: 1000, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

const start = (body: unknown, key = api.acme.key, headers: Record<string, string> = {}) =>
  api.fetch(JOBS, jsonRequest('POST', key, body, headers))

describe('starting an export', () => {
  test('returns 202 with the Location of a queued job', async () => {
    const response = await start({ domain: api.acme.domain, version: '1.2', features: { search: false } })
    assert.equal(response.status, 202)
    const job = (await response.json()) as ExportJob
    assert.equal(response.headers.get('location'), `${api.url}${JOBS}/${job.jobId}`)
    assert.deepEqual(
      [job.status, job.progress, job.pageCount, job.totalPages, job.error, job.deployment, job.version],
      ['queued', 0, 0, null, null, 'client-hosted', '1.2'],
    )
    const read = await api.fetch(response.headers.get('location') as string, withKey(api.acme.key))
    assert.deepEqual(await read.json(), job)
  })

  test('reports all errors in the body at once, in plain language', async () => {
    const body = { domian: 'x', deployment: 'cloud', features: { serach: true }, paths: [], version: '' }
    const response = await start(body)
    assert.equal(response.status, 400)
    assert.deepEqual(await messagesOf(response), [
      '`/domain` is required',
      '`/domian` is not a known field; did you mean `domain`?',
      '`/deployment` must be one of `client-hosted`, `air-gapped`',
      '`/features/serach` is not a known field; did you mean `search`?',
      '`/paths` must be a list of 1 to 50000 items',
      '`/version` must be text of 1 to 200 characters in one line, not blank',
    ])
  })

  test('returns the same error for an unknown domain and one of another organization', async () => {
    const foreign = await start({ domain: api.other.domain })
    const unknown = await start({ domain: 'nobody.example.com' })
    assert.deepEqual([foreign.status, unknown.status], [400, 400])
    assert.equal(await foreign.text(), await unknown.text())
  })

  test('rejects a URL, a path and characters that URL parsing would change where a host name belongs', async () => {
    const reasons: Record<string, RegExp> = {
      'https://acme.example.com': /is a URL/,
      'acme.example.com/docs': /has a path/,
      [`user@${api.acme.domain}`]: /is not a host name/,
      [`%61${api.acme.domain.slice(1)}`]: /is not a host name/,
      [`a\n${api.acme.domain.slice(1)}`]: /is not a host name/,
    }
    for (const [domain, reason] of Object.entries(reasons)) {
      const response = await start({ domain })
      assert.equal(response.status, 400, domain)
      assert.match((await messagesOf(response)).join(), reason)
    }
  })

  test('reports errors outside the schema together with schema errors', async () => {
    const body = {
      domain: 'a/b',
      deployment: 'air-gapped',
      features: { assistant: true },
      paths: ['../x'],
      version: 7,
    }
    const response = await start(body)
    const { details } = (await response.json()) as { details: { field: string }[] }
    assert.deepEqual(
      details.map(({ field }) => field),
      ['/version', '/domain', '/features/assistant', '/paths/0'],
    )
  })

  test('replaces a lone surrogate with U+FFFD', async () => {
    const response = await api.fetch('/v1/static-export/jobs', {
      method: 'POST',
      headers: { ...withKey(api.acme.key).headers, 'Content-Type': 'application/json' },
      body: `{"domain":"${api.acme.domain}","version":"v\\ud83d","paths":["/\\udc00"]}`,
    })
    assert.equal(response.status, 202)
    assert.equal(((await response.json()) as { version: string }).version, 'v\ufffd')
  })

  test('rejects features that are not configurable for the deployment', async () => {
    const response = await start({
      domain: api.acme.domain,
      deployment: 'air-gapped',
      features: { search: true },
    })
    assert.equal(response.status, 400)
    assert.match((await messagesOf(response)).join(), /\/features\/search/)
  })

  test('includes search in an air-gapped bundle on request and leaves it out with false', async () => {
    for (const search of ['bundled', false]) {
      const response = await start({
        domain: api.acme.domain,
        deployment: 'air-gapped',
        features: { search },
      })
      assert.equal(response.status, 202)
      const { jobId } = (await response.json()) as ExportJob
      const { features } = await api.database.queries
        .selectFrom('static_exports')
        .select('features')
        .where('id', '=', jobId)
        .executeTakeFirstOrThrow()
      assert.equal(features.search, search === 'bundled')
    }
  })

  for (const [name, init, status] of [
    ['no body', { method: 'POST' }, 400],
    [
      'an empty form',
      { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      400,
    ],
    [
      'text that is not JSON',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"domain":' },
      400,
    ],
    [
      'bytes that are not UTF-8',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: new Uint8Array([0x22, 0xff, 0x22]),
      },
      400,
    ],
    ['a list', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[]' }, 400],
    [
      '__proto__',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"domain":"a.example.com","__proto__":{"x":1}}',
      },
      400,
    ],
    [
      'U+0000',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"domain":"a.example.com","version":"\\u0000"}',
      },
      400,
    ],
    ['another media type', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' }, 415],
    [
      'a compressed body',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: 'x',
      },
      415,
    ],
    [
      'more than 1 MiB',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify('x'.repeat(1_048_576)),
      },
      413,
    ],
  ] as [string, RequestInit, number][]) {
    test(`returns ${status} for a request with ${name}`, async () => {
      assert.equal((await api.fetch(JOBS, withKey(api.acme.key, init))).status, status)
    })
  }

  test('requires the Enterprise plan', async () => {
    const { key, domain } = await makeTenant(api.database, { name: 'small', plan: 'pro' })
    const response = await start({ domain }, key)
    assert.equal(response.status, 403)
    assert.deepEqual(await response.json(), {
      error: 'Static export requires an Enterprise plan',
      code: 'plan_required',
    })
  })
})

describe('API keys', () => {
  test('a missing, malformed, unknown or revoked key gets 401 with the same body', async () => {
    const revoked = await api.database.transaction(async (tx) => {
      const key = await makeKey(tx, api.other.organizationId)
      const { id } = await tx
        .selectFrom('api_keys')
        .select('id')
        .where('organization_id', '=', api.other.organizationId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      await revokeApiKey(tx, { keyId: id, actor: 'test' })
      return key
    })
    const headers = [
      {},
      { Authorization: 'Basic eDp5' },
      { Authorization: 'Bearer oct_nothing' },
      { Authorization: `Bearer ${api.acme.key.slice(0, -1)}!` },
      { Authorization: `Bearer ${revoked}` },
    ]
    const bodies = new Set<string>()
    for (const given of headers) {
      const response = await api.fetch(JOBS, { headers: given as Record<string, string> })
      assert.equal(response.status, 401)
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
      bodies.add(await response.text())
    }
    assert.equal(bodies.size, 1)
  })

  test('a key with read scope can read but not start exports', async () => {
    const key = await api.database.transaction((tx) =>
      makeKey(tx, api.acme.organizationId, { scopes: ['read'] }),
    )
    assert.equal((await api.fetch(JOBS, withKey(key))).status, 200)
    assert.equal((await start({ domain: api.acme.domain }, key)).status, 403)
  })

  test('a key with an allow-list is rejected from other addresses', async () => {
    const key = await api.database.transaction((tx) =>
      makeKey(tx, api.acme.organizationId, { allowList: ['203.0.113.0/24'] }),
    )
    const response = await api.fetch(JOBS, withKey(key))
    assert.equal(response.status, 403)
    assert.match(await response.text(), /from your IP address/)
  })
})

describe('export jobs', () => {
  test('a job of another organization gets the same response as a missing one, byte for byte, on every endpoint', async () => {
    const jobId = await startJob(api, api.acme)
    const asked = [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/bundle'],
      ['POST', '/cancel'],
    ] as const
    for (const [method, tail] of asked) {
      const answers = []
      for (const id of [jobId, 'se_00000000000000000000000000', 'nonsense', 'x'.repeat(200), '%00']) {
        const response = await api.fetch(`${JOBS}/${id}${tail}`, withKey(api.other.key, { method }))
        answers.push(`${response.status} ${await response.text()}`)
      }
      assert.deepEqual(new Set(answers), new Set(['404 {"error":"Not found","code":"not_found"}']))
    }
  })

  test('a completed job has a bundle, and an earlier request returns 409 with the status', async () => {
    const jobId = await startJob(api, api.acme)
    const bundle = () => api.fetch(`${JOBS}/${jobId}/bundle`, withKey(api.acme.key, { method: 'POST' }))
    const early = await bundle()
    assert.equal(early.status, 409)
    assert.match(await early.text(), /queued/)
    await api.completeExport(jobId, Buffer.from('archive'))
    const response = await bundle()
    assert.equal(response.status, 200)
    const { sizeBytes, bundleUrl } = (await response.json()) as { sizeBytes: number; bundleUrl: string }
    assert.equal(sizeBytes, 7)
    assert.equal(await (await api.fetch(bundleUrl)).text(), 'archive')
  })

  test('operations without a body accept an empty object and reject anything else', async () => {
    const jobId = await startJob(api, api.acme)
    await api.completeExport(jobId, Buffer.from('archive'))
    const bundle = (body: unknown) =>
      api.fetch(`${JOBS}/${jobId}/bundle`, jsonRequest('POST', api.acme.key, body))
    assert.equal((await bundle({})).status, 200)
    assert.equal((await bundle({ x: 1 })).status, 400)
    assert.equal((await bundle([])).status, 400)
  })

  test('a job is cancelled only once', async () => {
    const jobId = await startJob(api, api.acme)
    const cancel = () => api.fetch(`${JOBS}/${jobId}/cancel`, withKey(api.acme.key, { method: 'POST' }))
    const first = await cancel()
    assert.equal(first.status, 200)
    const job = (await first.json()) as ExportJob
    assert.equal(job.status, 'failed')
    assert.match(job.error ?? '', /cancelled/)
    assert.equal(job.errorCode, 'cancelled')
    assert.equal((await cancel()).status, 409)
  })
})

describe('the list of export jobs', () => {
  test('is paged newest first and rejects an altered or foreign cursor', async () => {
    const tenant = await makeTenant(api.database, { name: 'lister', plan: 'enterprise' })
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await startJob(api, tenant))
    const seen: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const response = await api.fetch(`${JOBS}?limit=2${query}`, withKey(tenant.key))
      const list = (await response.json()) as ExportJobList
      assert.equal(list.hasMore, list.nextCursor !== null)
      seen.push(...list.jobs.map(({ jobId }) => jobId))
      cursor = list.nextCursor ?? cursor
      pages += 1
      if (!list.hasMore) break
    } while (pages < 10)
    assert.deepEqual(seen, ids.toReversed())
    assert.equal(pages, 3)
    assert.equal((await api.fetch(`${JOBS}?cursor=${cursor}x`, withKey(tenant.key))).status, 400)
    assert.equal((await api.fetch(`${JOBS}?cursor=${cursor}`, withKey(api.acme.key))).status, 400)
  })

  test('reports all errors in the query at once', async () => {
    const response = await api.fetch(`${JOBS}?limit=0&limt=5&cursor=&limit=5`, withKey(api.acme.key))
    assert.equal(response.status, 400)
    assert.deepEqual(await messagesOf(response), [
      '`limit` is given 2 times; give it once',
      '`limit` must be a whole number from 1 to 100',
      '`limt` is not a known parameter; did you mean `limit`?',
      '`cursor` must be text of 1 to 2048 characters',
    ])
    const other = await api.fetch(`${JOBS}?limit=0&cursor=abc`, withKey(api.acme.key))
    assert.deepEqual(await messagesOf(other), [
      '`limit` must be a whole number from 1 to 100',
      '`cursor` is not a cursor of this list: send `nextCursor` unchanged, or omit it',
    ])
  })
})

describe('deployments', () => {
  test('a deployment can be started and read only in its own organization', async () => {
    const place = `/v1/deployments/${api.acme.projectId}`
    const started = await api.fetch(place, withKey(api.acme.key, { method: 'POST' }))
    assert.equal(started.status, 202)
    const location = started.headers.get('location') as string
    assert.equal((await api.fetch(location, withKey(api.acme.key))).status, 200)
    for (const [method, path] of [
      ['GET', location],
      ['POST', place],
    ] as const) {
      const response = await api.fetch(path, withKey(api.other.key, { method }))
      assert.equal(
        `${response.status} ${await response.text()}`,
        '404 {"error":"Not found","code":"not_found"}',
      )
    }
  })
})
