/** An API server that records its requests and allows calls from any origin. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface RecordedRequest {
  method: string
  /** Path and query. */
  target: string
  headers: IncomingHttpHeaders
  body: string
  bytes: Buffer
}

export interface RecordingServer extends AsyncDisposable {
  url: string
  /** Requests in order of arrival, without CORS preflights. */
  requests: RecordedRequest[]
  /** Responses by path; other paths answer with a JSON description of the request. */
  answers: Map<
    string,
    {
      status?: number
      headers?: Record<string, string>
      parts: readonly (string | Buffer)[] | AsyncIterable<string>
      /** Closes the connection mid-response once it resolves. */
      breaks?: Promise<void>
    }
  >
}

export async function startRecordingServer(
  options: { allowsPages?: boolean } = {},
): Promise<RecordingServer> {
  const { allowsPages = true } = options
  const requests: RecordedRequest[] = []
  const answers: RecordingServer['answers'] = new Map()
  const server = createServer(async (request, response) => {
    if (allowsPages) {
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*')
      response.setHeader(
        'Access-Control-Allow-Headers',
        request.headers['access-control-request-headers'] ?? '*',
      )
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      response.setHeader('Access-Control-Expose-Headers', '*')
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const { method = '', url: target = '', headers } = request
    const bytes = await buffer(request)
    requests.push({ method, target, headers, body: bytes.toString(), bytes })
    const answer = answers.get(target.split('?')[0] ?? '')
    const parts = answer?.parts ?? [JSON.stringify({ method, target, nested: { list: [1, 'two', null] } })]
    response.writeHead(answer?.status ?? 200, { 'Content-Type': 'application/json', ...answer?.headers })
    response.flushHeaders()
    for await (const part of parts) response.write(part)
    if (answer?.breaks) void answer.breaks.then(() => response.destroy())
    else response.end()
  })
  // Otherwise an idle connection may be closed just as the next request is sent on it.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
