/**
 * A minimal curl for machines without one, with the features the documentation uses: sends a request with headers,
 * prints the response and fails on a status of 400 or above. Unknown options are rejected.
 */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    head: { type: 'boolean', short: 'I', default: false },
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
  },
})
const headers = values.header.map((line) => line.split(/:\s*/, 2))
const method = values.request ?? (values.head ? 'HEAD' : values.data === undefined ? 'GET' : 'POST')

for (const url of positionals) {
  const sent = request(url, { method, headers: Object.fromEntries(headers) })
  const { promise, resolve, reject } = Promise.withResolvers()
  sent.once('response', resolve).once('error', reject).end(values.data)
  const answer = await promise
  if (values.head)
    process.stdout.write(
      `HTTP/1.1 ${answer.statusCode}\n${Object.entries(answer.headers)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join('')}`,
    )
  process.stdout.write(await text(answer))
  if (answer.statusCode >= 400) process.exitCode = 22
}
