/**
 * A slow model in a separate process, so that its cost is not counted as the node's. `startSlowModel` starts this file,
 * which plays the given conversation one answer at a time.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  beginStream,
  type ChatRequest,
  chunkOf,
  endStream,
  type ScriptedAnswer,
  sendChunk,
} from '../../tests/kit/model-server.ts'

export interface SlowModel extends Disposable {
  /** Value for OCTAVO_MODEL_URL. */
  url: string
  process: ChildProcess
  /** Sets the delay of each following answer. */
  setStepMs(stepMs: number): void
}

interface Told {
  answers: readonly ScriptedAnswer[]
  stepMs: number
}

export async function startSlowModel(told: Told): Promise<SlowModel> {
  const child = fork(import.meta.filename, [])
  child.send(told)
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/v1`,
    process: child,
    setStepMs: (stepMs) => void child.send({ ...told, stepMs }),
    [Symbol.dispose]: () => void child.kill(),
  }
}

if (import.meta.main) {
  let [{ answers, stepMs }] = (await once(process, 'message')) as [Told]
  process.on('message', (told: Told) => {
    ;({ answers, stepMs } = told)
  })
  const server = createServer(async (incoming, response) => {
    response.on('error', () => undefined)
    const body = Buffer.concat(await incoming.toArray()).toString('utf8')
    const { messages, model } = JSON.parse(body) as ChatRequest
    const answer = answers[messages.filter(({ role }) => role === 'assistant').length]
    await sleep(stepMs)
    beginStream(response)
    const { text = '', toolCalls = [] } = answer ?? {}
    sendChunk(response, chunkOf({ role: 'assistant', content: text }, null, model))
    for (const [index, { name, input }] of toolCalls.entries()) {
      const id = `call_${messages.length}_${index}`
      const called = { name, arguments: JSON.stringify(input) }
      sendChunk(
        response,
        chunkOf({ tool_calls: [{ index, id, type: 'function', function: called }] }, null, model),
      )
    }
    sendChunk(response, chunkOf({}, 'tool_calls', model))
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
    sendChunk(response, { ...chunkOf({}, null, model), choices: [], usage })
    endStream(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.((server.address() as AddressInfo).port)
}
