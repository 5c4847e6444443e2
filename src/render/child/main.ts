/** Render child: reads jobs from standard input and writes results to standard output. Has no secrets. */

import { disableHeapPool } from '../../base/heap-pool.ts'
import { isInternalError } from '../../base/internal-error.ts'
import { dropCachePermission } from '../../sandbox/compile-cache.ts'
import { createFrameReader, writeFrameSync } from '../../sandbox/frames.ts'
import type { FromChild, ToChild } from '../bodies/protocol.ts'
import { createCodeHighlighter } from '../highlight/highlight.ts'
import { readPatternTable } from '../highlight/pattern-table.ts'
import type { BodyRequest } from '../page/body.ts'
import { createIsolateHost, type IsolateHost } from './isolate-host.ts'
import { runPageJob } from './page-job.ts'
import { runSample } from './run-sample.ts'

disableHeapPool()
dropCachePermission()
const send = (message: FromChild, attached?: Uint8Array) => writeFrameSync(1, message, attached)
const highlighter = createCodeHighlighter(readPatternTable)
let isolates: IsolateHost | null = null
let work = Promise.resolve()

const handleMessage = async (message: ToChild, attached: Buffer) => {
  if (message.kind === 'prelude') {
    isolates = createIsolateHost(message.source)
    send({ kind: 'ready' })
  } else if (message.kind === 'sample') {
    send({ kind: 'sampled', result: runSample(message) })
  } else if (isolates) {
    const request: BodyRequest = JSON.parse(attached.toString())
    await runPageJob({ isolates, highlighter, send }, { ...message, request }).catch((error: unknown) => {
      if (!isInternalError(error)) throw error
      send({ kind: 'broken', id: message.id, message: (error as Error).message })
    })
  }
}

const read = createFrameReader((message, attached) => {
  work = work.then(() => handleMessage(message as ToChild, attached))
})
process.stdin.on('data', read)
// Dies with the parent.
process.stdin.on('end', () => process.exit(0))
