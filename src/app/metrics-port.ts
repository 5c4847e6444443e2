/**
 * Separate port for /metrics and health checks: a worker node has no other port, and some operators do not expose
 * metrics publicly.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  HEALTH_PATH,
  LIVENESS_PATH,
  METRICS_PATH,
  READINESS_PATH,
} from '../http/description/service-paths.ts'
import { canReadMetrics, isForwarded, type MetricsRouteDeps } from '../http/metrics-access.ts'
import { ARRIVAL_TIMEOUTS } from '../http/open-requests.ts'
import type { Readiness } from '../http/server.ts'

export async function serveMetrics(
  { access, scrape, isReady }: MetricsRouteDeps & { isReady(): Promise<Readiness> },
  listenAddress: { host: string; port: number },
): Promise<AsyncDisposable> {
  const server = createServer(ARRIVAL_TIMEOUTS, async (request, response) => {
    const path = request.url?.split('?', 1)[0]
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text)
    if (path === HEALTH_PATH || path === LIVENESS_PATH) return answer(200, 'ok\n')
    if (path === READINESS_PATH) {
      const { ok, parts } = await isReady()
      const lines = Object.entries(parts).map(([name, said]) => `${name}: ${said}\n`)
      return answer(ok ? 200 : 503, lines.join(''))
    }
    if (path !== METRICS_PATH) return answer(404, 'Not found\n')
    const address = isForwarded(request.headers) ? null : (request.socket.remoteAddress ?? null)
    const { authorization } = request.headers
    if (!canReadMetrics(access, { address, authorization })) return answer(403, 'Refused\n')
    try {
      const { contentType, text } = await scrape()
      answer(200, text, contentType)
    } catch {
      answer(500, 'The metrics cannot be read.\n')
    }
  })
  server.listen(listenAddress)
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
