/** Entry point of the process that starts programs for a server; see `limited-program.ts`. */
import { type RunnerMessage, type RunnerResponse, runInThisProcess } from './limited-program.ts'

const running = new Map<number, AbortController>()

process.on('message', async (message: RunnerMessage) => {
  const { id } = message
  if ('abort' in message) return running.get(id)?.abort()
  const controller = new AbortController()
  running.set(id, controller)
  const end = await runInThisProcess(message.request, controller.signal)
  running.delete(id)
  process.send?.({ id, end } satisfies RunnerResponse, undefined, undefined, () => undefined)
})
// When the server has ended, this process ends, and the programs die with it.
process.on('disconnect', () => process.exit())
