/** Test reporter: Node's spec reporter without the start and completion lines of lanes; see tests/kit/lane.ts. */
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'

const LANE = /\/(?:lane|last)-\d+\.mjs$/
const OF_LANES = new Set(['test:start', 'test:pass', 'test:complete'])

// biome-ignore lint/style/noDefaultExport: the runner takes a reporter so.
export default async function* report(events) {
  yield* Readable.from(wanted(events)).compose(new spec())
}

async function* wanted(events) {
  for await (const event of events) if (!OF_LANES.has(event.type) || !LANE.test(event.data.name)) yield event
}
