/** Answers every request with one file from memory, in two encodings, with an ETag: the baseline cost of node:http. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const plain = readFileSync(process.argv[2] ?? '')
const packed = gzipSync(plain)
const common = { 'Content-Type': 'text/html; charset=utf-8', ETag: '"page"', Vary: 'accept-encoding' }
const server = createServer(({ headers }, response) => {
  if (headers['if-none-match'] === '"page"') return response.writeHead(304, common).end()
  const isPacked = headers['accept-encoding']?.includes('gzip') ?? false
  const body = isPacked ? packed : plain
  const encoding = isPacked ? { 'Content-Encoding': 'gzip' } : {}
  response.writeHead(200, { ...common, ...encoding, 'Content-Length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
