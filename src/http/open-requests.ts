/**
 * Limits concurrent connections and requests by address, and requests by organization. A request counts from its
 * headers to the end of its response, including streams. A request counts for the address that a trusted proxy reports;
 * a connection counts for its remote address, but behind a proxy only towards the total. Node's timeouts close
 * connections that send no request.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { networkPrefix } from '../base/net/address-network.ts'
import './request-fields.ts'

export interface ConcurrencyLimits {
  connections: number
  /** Maximum number of connections, and of requests, per address. */
  byAddress: number
  byOrganization: number
}

/** Maximum milliseconds until the headers are complete, and until the whole request with its body is complete. */
const ARRIVAL_TIMEOUT_MS = 8000

/** Timeouts for public servers. Frequent checks avoid closing many late connections at the same time. */
export const ARRIVAL_TIMEOUTS = {
  headersTimeout: ARRIVAL_TIMEOUT_MS,
  requestTimeout: ARRIVAL_TIMEOUT_MS,
  connectionsCheckingInterval: 100,
}

export function limitConnections(
  server: Server,
  { connections, byAddress }: ConcurrencyLimits,
  proxies: number,
): void {
  server.maxConnections = connections
  // Behind a proxy, all connections come from the proxy.
  const open = createSlotCounter(proxies > 0 ? connections : byAddress)
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const begin = admitInTurns((socket: Socket) => {
    if (!socket.destroyed) for (const listener of listeners) listener.call(server, socket)
  })
  server.on('connection', (socket: Socket) => {
    const network = networkPrefix(socket.remoteAddress ?? '')
    const release = open.acquire(network)
    if (release === null) return socket.destroy()
    socket.once('close', release)
    socket.on('error', () => undefined) // Waiting connections have no other listeners.
    begin(socket, network)
  })
}

/**
 * Number of connections passed to the HTTP parser per turn of the event loop, so that a burst does not delay
 * established connections.
 */
const CONNECTIONS_PER_TURN = 32

/**
 * Admits connections of different networks in turn, so that a burst from one network does not delay others.
 */
function admitInTurns(begin: (socket: Socket) => void): (socket: Socket, network: string) => void {
  const waiting = new Map<string, Socket[]>()
  let isDue = false
  const next = () => {
    for (let taken = 0; taken < CONNECTIONS_PER_TURN && waiting.size > 0; taken++) {
      const [network, sockets] = waiting.entries().next().value as [string, Socket[]]
      begin(sockets.shift() as Socket)
      waiting.delete(network)
      if (sockets.length > 0) waiting.set(network, sockets) // move to the end
    }
    isDue = waiting.size > 0
    if (isDue) setImmediate(next)
  }
  return (socket, network) => {
    const sockets = waiting.get(network)
    if (sockets === undefined) waiting.set(network, [socket])
    else sockets.push(socket)
    if (isDue) return
    isDue = true
    setImmediate(next)
  }
}

export function limitRequests(app: FastifyInstance, { byAddress, byOrganization }: ConcurrencyLimits): void {
  const addresses = createSlotCounter(byAddress)
  const organizations = createSlotCounter(byOrganization)
  app.addHook('onRequest', (request, reply, done) =>
    done(refusal(addresses, networkPrefix(request.ip ?? ''), reply)),
  )
  // Runs when the organization has been determined, and before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const organization = organizationOf(request)
    done(organization === null ? null : (refusal(organizations, organization, reply) ?? null))
  })
}

function organizationOf({ admission, readerSite }: FastifyRequest): string | null {
  const { organizationId = null } = (admission?.caller ?? readerSite ?? {}) as {
    organizationId?: string | null
  }
  return organizationId
}

function refusal(counter: SlotCounter, key: string, { raw }: FastifyReply): AppError | undefined {
  const release = counter.acquire(key)
  if (release === null) return new AppError('too_many_open', { headers: { 'Retry-After': '1' } })
  if (raw.closed) release()
  else raw.once('close', release)
  return undefined
}

interface SlotCounter {
  /** Returns a function that releases the slot, or null if the key has reached its maximum. */
  acquire(key: string): (() => void) | null
}

function createSlotCounter(maxPerKey: number): SlotCounter {
  const taken = new Map<string, number>()
  return {
    acquire(key) {
      const count = taken.get(key) ?? 0
      if (count >= maxPerKey) return null
      taken.set(key, count + 1)
      return () => {
        const remaining = (taken.get(key) ?? 1) - 1
        if (remaining === 0) taken.delete(key)
        else taken.set(key, remaining)
      }
    },
  }
}
