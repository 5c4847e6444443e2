/** The work of a site's process whose search thread ends after some pages, as one that the system has ended. */
import { Worker } from 'node:worker_threads'
import type { ToSearchWorker } from '../../src/render/search-worker.ts'

const PAGES = 5

const { postMessage } = Worker.prototype
let pages = 0
Worker.prototype.postMessage = function (this: Worker, message: ToSearchWorker) {
  if (message.kind === 'page' && ++pages === PAGES) void this.terminate()
  postMessage.call(this, message)
}

export { open } from '../../src/render/site-work.ts'
