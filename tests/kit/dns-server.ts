/** A local DNS server with configurable TXT and A records and failures. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer extends AsyncDisposable {
  /** `address:port`, the format of OCTAVO_DNS_SERVERS. */
  address: string
  /** TXT records by name. Names without records do not exist. */
  texts: Map<string, readonly string[]>
  /** IPv4 addresses by name. Each query takes the next one, and the last one repeats. */
  hosts: Map<string, readonly string[]>
  /** Answers every query with a server failure. */
  isFailing: boolean
  /** Queried names, in order. */
  asked: string[]
}

const A = 1
const TXT = 16
const NOT_THERE = 3
const FAILED = 2

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    hosts: new Map(),
    isFailing: false,
    asked: [],
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (query, { address, port }) => answer(server, socket, query, { address, port }))
  return server
}

function answer(
  server: DnsServer,
  socket: Socket,
  query: Buffer,
  { address, port }: { address: string; port: number },
): void {
  const { name, end } = readName(query)
  const question = query.subarray(12, end + 4)
  const type = query.readUInt16BE(end)
  server.asked.push(name)
  const found = recordsOf(server, name.toLowerCase(), type)
  const code = server.isFailing ? FAILED : found === undefined ? NOT_THERE : 0
  const records = code === 0 ? (found ?? []) : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  socket.send(Buffer.concat([header, question, ...records]), port, address)
}

function recordsOf({ texts, hosts }: DnsServer, name: string, type: number): Buffer[] | undefined {
  if (type === TXT) return texts.get(name)?.map((text) => record(TXT, textParts(text)))
  const [address, ...later] = (type === A && hosts.get(name)) || []
  if (address === undefined) return undefined
  if (later.length > 0) hosts.set(name, later)
  return [record(A, Buffer.from(address.split('.').map(Number)))]
}

/** Reads the name of the question and the offset of its end. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

function textParts(text: string): Buffer {
  const parts = (text.match(/.{1,255}/gs) ?? ['']).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  return Buffer.concat(parts)
}

/** Creates a record for the name in the question, with a TTL of 0 to prevent caching. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
