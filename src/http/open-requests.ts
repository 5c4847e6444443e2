/**
 * How much one sender and one organization may have open at once. Requests count from their headers to the end of their
 * answer, streams too: by the address that a trusted proxy names, and by the organization that they are for. Before that
 * there is a connection alone, which counts by its own address where no proxy stands in front; the timeouts of Node end
 * those that do not become a request.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { networkOf } from '../base/net/address-network.ts'
import './request-fields.ts'

export interface OpenBounds {
  /** Connections of the process. */
  connections: number
  /** Connections, and requests, of one address. */
  byAddress: number
  /** Requests for one organization. */
  byOrganization: number
}

/** Milliseconds for headers, and for the whole of a request with its body. */
const ARRIVAL_MS = 8000

/** For servers that strangers reach. Frequent checks spread the end of a burst of late connections. */
export const ARRIVAL_TIMES = {
  headersTimeout: ARRIVAL_MS,
  requestTimeout: ARRIVAL_MS,
  connectionsCheckingInterval: 100,
}

export function boundConnections(
  server: Server,
  { connections, byAddress }: OpenBounds,
  proxies: number,
): void {
  server.maxConnections = connections
  // Behind a proxy all connections are the proxy's.
  const open = createShares(proxies > 0 ? connections : byAddress)
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const begin = inSlices((socket: Socket) => {
    if (!socket.destroyed) for (const listener of listeners) listener.call(server, socket)
  })
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const release = open.take(network)
    if (release === null) return socket.destroy()
    socket.once('close', release)
    socket.on('error', () => undefined) // While it waits nobody else listens.
    begin(socket, network)
  })
}

/** Connections that come to their parser in one turn of the event loop: those that are open already are not kept waiting by a burst. */
const SLICE = 32

/** In turns by network, so that one connection does not wait behind a burst from elsewhere. */
function inSlices(begin: (socket: Socket) => void): (socket: Socket, network: string) => void {
  const waiting = new Map<string, Socket[]>()
  let isDue = false
  const next = () => {
    for (let taken = 0; taken < SLICE && waiting.size > 0; taken++) {
      const [network, sockets] = waiting.entries().next().value as [string, Socket[]]
      begin(sockets.shift() as Socket)
      waiting.delete(network)
      if (sockets.length > 0) waiting.set(network, sockets) // behind the others
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

export function boundRequests(app: FastifyInstance, { byAddress, byOrganization }: OpenBounds): void {
  const addresses = createShares(byAddress)
  const organizations = createShares(byOrganization)
  app.addHook('onRequest', (request, reply, done) =>
    done(refusal(addresses, networkOf(request.ip ?? ''), reply)),
  )
  // Once it is known whom the request is for, and before its body is waited for.
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

function refusal(shares: Shares, key: string, { raw }: FastifyReply): AppError | undefined {
  const release = shares.take(key)
  if (release === null) return new AppError('too_many_open', { headers: { 'Retry-After': '1' } })
  if (raw.closed) release()
  else raw.once('close', release)
  return undefined
}

interface Shares {
  /** Null: the key has all that it may have. To be released once. */
  take(key: string): (() => void) | null
}

function createShares(most: number): Shares {
  const taken = new Map<string, number>()
  return {
    take(key) {
      const count = taken.get(key) ?? 0
      if (count >= most) return null
      taken.set(key, count + 1)
      return () => {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}
