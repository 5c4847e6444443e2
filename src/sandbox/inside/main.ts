/**
 * Entry point of a site's process: loads the requested module, opens it with its permitted ports, and answers calls.
 */
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { disableHeapPool } from '../../base/heap-pool.ts'
import { dropCachePermission } from '../compile-cache.ts'
import { createFaultRegistry } from '../faults.ts'
import { type OpenInside, Packed } from '../inside.ts'
import { createPeer, type Handler } from '../peer.ts'
import { remoteCache, remoteFetch, remoteLog, remoteStore, remoteTree, type TreeListing } from '../ports.ts'
import { setUsageReader, type Usage } from '../usage.ts'

disableHeapPool()
const entry = (import(process.argv[2] ?? '') as Promise<{ open: OpenInside }>).then((loaded) => {
  dropCachePermission()
  return loaded
})
const handlers: Record<string, Handler> = {
  async open(listing: TreeListing) {
    const { open } = await entry
    const work = open({
      tree: remoteTree(peer, listing, announceFile),
      objects: remoteStore(peer),
      cache: remoteCache(peer),
      guardedFetch: remoteFetch(peer),
      log: remoteLog(peer),
      report: (progress) => peer.notify('progress', progress),
    })
    for (const [name, answer] of Object.entries(work))
      handlers[name] = async (input) => {
        const outcome = await answer(input)
        return outcome instanceof Packed ? { value: outcome.value, bytes: outcome.bytes } : { value: outcome }
      }
    return {}
  },
}
const pipe = new Socket({ fd: 4, readable: true, writable: true })
const peer = createPeer({
  pipe,
  handlers,
  faultRegistry: createFaultRegistry('inside'),
  onInvalidMessage: () => process.exit(1),
})
setUsageReader(async (pid) => (await peer.call('usage', { pid })).value as Usage | null)
// Without the parent process there is nothing to do.
pipe.on('end', () => process.exit(0))

/**
 * Written synchronously, so that the name arrives even if processing the file crashes the process. Lost if the pipe is
 * full.
 */
function announceFile(file: string): void {
  try {
    writeSync(1, `${file}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
}
