/**
 * Preloaded in a restricted process before Node 25, because the permission model does not cover the network
 * there. All of Node's socket and DNS functions fail with the same error as in Node 25.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

function refuse(): never {
  throw Object.assign(
    new Error('Access to this API has been restricted: a bounded process has no network.'),
    {
      code: 'ERR_ACCESS_DENIED',
      permission: 'Net',
    },
  )
}

function disable(target: object, names: readonly string[]): void {
  for (const name of names) Object.defineProperty(target, name, { value: refuse })
}

const listFunctions = (target: object) =>
  Object.entries(target)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name)

disable(net.Socket.prototype, ['connect'])
disable(net.Server.prototype, ['listen'])
disable(dgram.Socket.prototype, ['bind', 'connect', 'send'])
for (const names of [dns, dns.promises])
  disable(
    names,
    listFunctions(names).filter((name) => name !== 'promises'),
  )
syncBuiltinESMExports()
