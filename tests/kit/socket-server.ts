/** A WebSocket server (RFC 6455) that records short messages of one frame each. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface SocketPeer {
  /** Requested path and query. */
  target: string
  received: string[]
  send(message: string | Buffer): void
  close(code: number, reason: string): void
  isGone: boolean
}

export interface SocketServer extends AsyncDisposable {
  /** URL starting with `ws://`. */
  url: string
  peers: SocketPeer[]
  /** Status codes of rejected connections, by path. */
  refused: Map<string, number>
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export async function startSocketServer(): Promise<SocketServer> {
  const peers: SocketPeer[] = []
  const refused = new Map<string, number>()
  const server = createServer((_request, response) => void response.writeHead(426).end())
  server.on('upgrade', (request, socket) => {
    const target = request.url ?? ''
    const status = refused.get(target.split('?')[0] ?? '')
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${GUID}`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    peers.push(peerOf(target, socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    peers,
    refused,
    [Symbol.asyncDispose]: async () => {
      for (const peer of peers) if (!peer.isGone) peer.close(1001, '')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const TEXT = 1
const BINARY = 2
const CLOSE = 8

function peerOf(target: string, socket: Duplex): SocketPeer {
  const write = (kind: number, content: Buffer) => {
    const { length } = content
    const head = length < 126 ? [0x80 | kind, length] : [0x80 | kind, 126, length >> 8, length & 255]
    socket.write(Buffer.concat([Buffer.from(head), content]))
  }
  const peer: SocketPeer = {
    target,
    received: [],
    isGone: false,
    send: (message) => write(typeof message === 'string' ? TEXT : BINARY, Buffer.from(message)),
    close(code, reason) {
      write(CLOSE, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]))
      socket.end()
    },
  }
  let rest = Buffer.alloc(0)
  socket.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    for (let frame = readFrame(rest); frame !== null; frame = readFrame(rest)) {
      rest = rest.subarray(frame.length)
      if (frame.kind === CLOSE) socket.end()
      else peer.received.push(frame.content.toString())
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    peer.isGone = true
  })
  return peer
}

/** Reads a masked frame from a browser; null if it is incomplete. */
function readFrame(bytes: Buffer): { kind: number; content: Buffer; length: number } | null {
  if (bytes.length < 6) return null
  const short = (bytes[1] ?? 0) & 127
  const start = short === 126 ? 4 : 2
  const size = short === 126 ? bytes.readUInt16BE(2) : short
  const length = start + 4 + size
  if (bytes.length < length) return null
  const mask = bytes.subarray(start, start + 4)
  const content = Buffer.from(bytes.subarray(start + 4, length))
  for (let index = 0; index < size; index++) content[index] = (content[index] ?? 0) ^ (mask[index % 4] ?? 0)
  return { kind: (bytes[0] ?? 0) & 15, content, length }
}
