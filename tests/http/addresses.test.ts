/** Requests to unknown paths, with other methods and with malformed URLs. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiUnderTest, JOBS, startApi, withKey } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

describe('URL paths', () => {
  test('returns the same 404 for an unknown path as for a missing resource', async () => {
    const response = await api.fetch('/v1/nothing/here')
    assert.equal(
      `${response.status} ${await response.text()}`,
      '404 {"error":"Not found","code":"not_found"}',
    )
  })

  test('rejects other methods with 405 and lists the allowed ones', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const response = await api.fetch(JOBS, { method })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
    }
    const options = await api.fetch(JOBS, { method: 'OPTIONS' })
    assert.equal(`${options.status} ${options.headers.get('allow')}`, '204 GET, HEAD, OPTIONS, POST')
  })

  test('rejects other methods on every path of the API description, including hooks and unsubscribe links', async () => {
    const { paths } = (await (await api.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const addresses = Object.keys(paths)
      // This node has neither metrics nor a dashboard.
      .filter((path) => path !== '/metrics' && path !== '/')
      .map((path) => path.replaceAll(/\{\w+\}/g, 'x'))
    assert.ok(addresses.includes('/hooks/push/x') && addresses.includes('/unsubscribe/x'))
    const answers = await Promise.all(addresses.map((address) => api.fetch(address, { method: 'PUT' })))
    const others = answers.flatMap(({ status, headers }, index) =>
      status === 405 && headers.has('allow') ? [] : [`${addresses[index]} ${status}`],
    )
    assert.deepEqual(others, [])
  })

  test('rejects an invalid URL with 400', async () => {
    assert.equal((await api.fetch('/v1/static-export/jobs/%zz', withKey(api.acme.key))).status, 400)
  })

  test('answers HEAD like GET without the body', async () => {
    const get = await api.fetch(JOBS, withKey(api.acme.key))
    const head = await api.fetch(JOBS, withKey(api.acme.key, { method: 'HEAD' }))
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
    assert.equal(await head.text(), '')
  })
})
