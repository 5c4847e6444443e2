import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAddressGuard } from './address-guard.ts'
import { createGuardedScope } from './guarded-scope.ts'

test('global fetch reaches private hosts, except inside a scope, where the guard decides', async (t) => {
  let asked = 0
  const inner = createServer((_request, response) => {
    asked++
    response.setHeader('connection', 'close').end('inside')
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  t.after(() => inner.close())
  const host = `127.0.0.1:${(inner.address() as AddressInfo).port}`
  const ask = async () => (await fetch(`http://${host}/`)).text()
  const closed = createGuardedScope(createAddressGuard({}, null))
  const open = createGuardedScope(createAddressGuard({ privateHosts: [host] }, null))
  await assert.rejects(closed.run(ask), (error: Error) => (error.cause as Error).name === 'GuardedFetchError')
  assert.equal(asked, 0)
  assert.equal(await open.run(ask), 'inside')
  assert.equal(await ask(), 'inside')
  assert.equal(asked, 2)
})
