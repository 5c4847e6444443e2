/** An API that writes down what it is asked and answers pages of any origin. */
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
  /** In the order of their arrival; without the questions that browsers ask first. */
  requests: RecordedRequest[]
  /** Told what to answer, by path; JSON of what came otherwise. */
  answers: Map<
    string,
    {
      status?: number
      headers?: Record<string, string>
      parts: readonly (string | Buffer)[] | AsyncIterable<string>
      /** When it is fulfilled, the connection ends before the answer does. */
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
  // Else a connection that was left alone may be closed just as the next request goes over it.
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
