/** What is asked of an address whatever lies there: other methods, other forms, nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiUnderTest, JOBS, startApi, withKey } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

describe('an address', () => {
  test('that does not exist answers as a thing that does not exist', async () => {
    const response = await api.fetch('/v1/nothing/here')
    assert.equal(
      `${response.status} ${await response.text()}`,
      '404 {"error":"Not found","code":"not_found"}',
    )
  })

  test('refuses other methods with 405 and tells the ones it takes', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const response = await api.fetch(JOBS, { method })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
    }
    const options = await api.fetch(JOBS, { method: 'OPTIONS' })
    assert.equal(`${options.status} ${options.headers.get('allow')}`, '204 GET, HEAD, OPTIONS, POST')
  })

  test('refuses them wherever the description names one, hooks and links of mails among them', async () => {
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

  test('that is no URL is refused in the error shape', async () => {
    assert.equal((await api.fetch('/v1/static-export/jobs/%zz', withKey(api.acme.key))).status, 400)
  })

  test('answers HEAD as GET without the body', async () => {
    const get = await api.fetch(JOBS, withKey(api.acme.key))
    const head = await api.fetch(JOBS, withKey(api.acme.key, { method: 'HEAD' }))
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
    assert.equal(await head.text(), '')
  })
})
