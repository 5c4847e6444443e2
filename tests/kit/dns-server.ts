/** A DNS server on this machine that knows the TXT records it is told, and how to fail. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer extends AsyncDisposable {
  /** Address and port, as OCTAVO_DNS_SERVERS takes them. */
  address: string
  /** By name; a name without records is not there. */
  texts: Map<string, readonly string[]>
  /** Answers that it has failed instead of looking. */
  isFailing: boolean
  /** Names that were asked for, in their order. */
  asked: string[]
}

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
  const isTxt = query.readUInt16BE(end) === TXT
  server.asked.push(name)
  const texts = isTxt ? server.texts.get(name.toLowerCase()) : undefined
  const code = server.isFailing ? FAILED : texts === undefined ? NOT_THERE : 0
  const records = code === 0 ? (texts ?? []).map(record) : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  socket.send(Buffer.concat([header, question, ...records]), port, address)
}

/** Of the question, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Of the name in the question, with nobody to keep it. */
function record(text: string): Buffer {
  const parts = (text.match(/.{1,255}/gs) ?? ['']).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
