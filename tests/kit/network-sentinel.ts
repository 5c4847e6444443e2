/**
 * Preloaded with `--import` into each thread of a program: appends every DNS lookup, connection, sent datagram and
 * started program to the file OCTAVO_TEST_SENTINEL, one JSON line each.
 */
import { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

export type Sighting =
  | { kind: 'connect'; address: string }
  | { kind: 'lookup'; name: string }
  | { kind: 'send'; address: string }
  | { kind: 'spawn'; file: string; args: string[]; env: string[] }

const file = process.env.OCTAVO_TEST_SENTINEL
if (file === undefined) throw new Error('OCTAVO_TEST_SENTINEL is not set')
const tell = (sighting: Sighting) => appendFileSync(file, `${JSON.stringify(sighting)}\n`)

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Calls `look` with the arguments before each call of the method. */
function watch(owner: object, name: string, look: (args: unknown[]) => void): void {
  const methods = owner as Record<string, Method>
  const original = methods[name] as Method
  methods[name] = function (...args) {
    look(args)
    return original.apply(this, args)
  }
}

watch(Socket.prototype, 'connect', (args) => {
  // Node's own callers pass an array of already normalized arguments.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
  if (typeof first === 'object' && first !== null) {
    const { path, host, port } = first as { path?: string; host?: string; port?: number }
    tell({ kind: 'connect', address: path ?? `${host ?? 'localhost'}:${port}` })
  } else if (typeof first === 'string' && Number.isNaN(Number(first)))
    tell({ kind: 'connect', address: first })
  else tell({ kind: 'connect', address: `${typeof second === 'string' ? second : 'localhost'}:${first}` })
})
watch(UdpSocket.prototype, 'send', (args) =>
  tell({ kind: 'send', address: args.filter((arg) => typeof arg !== 'object').join(' ') }),
)
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(resolver))
    if (/^(lookup|resolve|reverse)/.test(name) && typeof (resolver as never)[name] === 'function')
      watch(resolver, name, ([asked]) => tell({ kind: 'lookup', name: String(asked) }))
watch(ChildProcess.prototype, 'spawn', ([options]) => {
  const { file: program, args = [], envPairs = [] } = options as Record<string, string[]> & { file: string }
  tell({ kind: 'spawn', file: program, args, env: envPairs.map((pair) => pair.split('=')[0] ?? '') })
})
syncBuiltinESMExports()
