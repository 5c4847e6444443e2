/** Loaded before a program that a test starts: tells, when asked, how long its event loop has stalled since last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
histogram.enable()
process.on('message', () => {
  process.send?.({ longestMs: histogram.max / 1e6 })
  histogram.reset()
})
// The program ends when it wants to.
process.channel?.unref()
