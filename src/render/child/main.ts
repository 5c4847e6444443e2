/** The render child: reads jobs from standard input, answers on standard output, holds no secrets. */

import { disableHeapPool } from '../../base/heap-pool.ts'
import { isInternalError } from '../../base/internal-error.ts'
import { dropCachePermission } from '../../sandbox/compile-cache.ts'
import { createFrameReader, writeFrameSync } from '../../sandbox/frames.ts'
import type { FromChild, ToChild } from '../bodies/protocol.ts'
import { createCodeHighlighter } from '../highlight/highlight.ts'
import { readPatternTable } from '../highlight/pattern-table.ts'
import { createIsolateHost, type IsolateHost } from './isolate-host.ts'
import { runPageJob } from './page-job.ts'

disableHeapPool()
dropCachePermission()
const send = (message: FromChild) => writeFrameSync(1, message)
const highlighter = createCodeHighlighter(readPatternTable)
let isolates: IsolateHost | null = null
let work = Promise.resolve()

const handleMessage = async (message: ToChild) => {
  if (message.kind === 'prelude') {
    isolates = createIsolateHost(message.source)
    send({ kind: 'ready' })
  } else if (isolates) {
    await runPageJob({ isolates, highlighter, send }, message).catch((error: unknown) => {
      if (!isInternalError(error)) throw error
      send({ kind: 'broken', id: message.id, message: (error as Error).message })
    })
  }
}

const read = createFrameReader((message) => {
  work = work.then(() => handleMessage(message as ToChild))
})
process.stdin.on('data', read)
// Exit with the parent.
process.stdin.on('end', () => process.exit(0))
