/** Exports a million rows over HTTP: rows per second and peak memory of the server. `node bench/feedback/export.ts`. */
import { openBenchDatabase, PROJECT, say } from './scene.ts'
import { spawnServer } from './spawn-server.ts'

const ROWS = Number(process.env.OCTAVO_BENCH_ROWS ?? 1_000_000)

await using bench = await openBenchDatabase()
say('| format | rows | seconds | rows a second | MB a second | peak MB |')
say('|---|---|---|---|---|---|')
for (const query of [
  'format=jsonl',
  'format=jsonl&include=vote,cursor',
  'format=csv',
  'status=resolved,dismissed',
]) {
  const server = await spawnServer(bench.url)
  const started = performance.now()
  const response = await fetch(`${server.url}/v1/analytics/${PROJECT}/feedback/export?${query}`, {
    headers: { Authorization: `Bearer ${server.key}` },
  })
  let rows = 0
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows += 1
    if (rows >= ROWS) break
  }
  const seconds = (performance.now() - started) / 1000
  const peak = await server.stop()
  const [perSecond, megabytes] = [Math.round(rows / seconds), Math.round(bytes / seconds / 1e5) / 10]
  say(`| ${query} | ${rows} | ${Math.round(seconds * 10) / 10} | ${perSecond} | ${megabytes} | ${peak} |`)
}
