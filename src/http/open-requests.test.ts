import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limitConnections } from './open-requests.ts'

test('a connection does not wait behind a burst from another network', async () => {
  const server = new EventEmitter()
  const begun: string[] = []
  server.on('connection', ({ remoteAddress }: { remoteAddress: string }) => begun.push(remoteAddress))
  limitConnections(server as Server, { connections: 10_000, byAddress: 1000, byOrganization: 1000 }, 0)
  const connectFrom = (remoteAddress: string) =>
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroyed: false }))
  for (let number = 0; number < 500; number++) connectFrom('192.0.2.1')
  connectFrom('198.51.100.1')
  await nextTurn()
  assert.ok(begun.includes('198.51.100.1'))
  assert.ok(begun.length < 500)
})
