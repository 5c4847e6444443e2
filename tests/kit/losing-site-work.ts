/** Work of a site process whose search worker terminates at its first pages, as if the system had killed it. */
import { Worker } from 'node:worker_threads'
import type { ToSearchWorker } from '../../src/render/search/search-worker.ts'

const { postMessage } = Worker.prototype
Worker.prototype.postMessage = function (this: Worker, message: ToSearchWorker) {
  if (message.kind === 'pages') void this.terminate()
  postMessage.call(this, message)
}

export { open } from '../../src/render/site-work.ts'
