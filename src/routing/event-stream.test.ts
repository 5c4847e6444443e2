import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventStream, type ServerEvent } from './event-stream.ts'

const open = new AbortController().signal

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream)).toString()
}

async function* two(): AsyncGenerator<ServerEvent> {
  yield { event: 'job', data: { text: 'line\nline' } }
  yield { event: 'job', data: 2 }
}

test('numbers events, writes data on one line and ends with its source', async () => {
  const stream = createEventStream(two(), { lastEventId: undefined, signal: open })
  assert.equal(
    await textOf(stream),
    'retry: 2000\n\nid: 1\nevent: job\ndata: {"text":"line\\nline"}\n\nid: 2\nevent: job\ndata: 2\n\n',
  )
})

test('event ids continue after the last event id and restart after an invalid one', async () => {
  for (const [lastEventId, first] of [
    ['41', 42],
    ['-1', 1],
    ['x', 1],
    ['', 1],
  ] as const) {
    assert.match(
      await textOf(createEventStream(two(), { lastEventId, signal: open })),
      new RegExp(`id: ${first}\n`),
    )
  }
})

test('keeps event ids that the source sets', async () => {
  async function* numbered(): AsyncGenerator<ServerEvent> {
    yield { id: 8, event: 'job', data: 1 }
    yield { id: 11, event: 'job', data: 2 }
  }
  const text = await textOf(createEventStream(numbered(), { lastEventId: '7', signal: open }))
  assert.deepEqual(text.match(/^id: .*$/gm), ['id: 8', 'id: 11'])
})

test('sends heartbeat comments while the source is idle', async () => {
  const happen = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<ServerEvent> {
    await happen.promise
    yield { event: 'job', data: 1 }
  }
  const stream = createEventStream(slow(), { lastEventId: undefined, signal: open, heartbeatMs: 5 })
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.includes(': still here')) happen.resolve()
  }
  assert.match(text, /^retry: 2000\n\n(: still here\n\n)+id: 1\nevent: job\ndata: 1\n\n$/)
})

test('aborting the signal ends the stream and its source', async () => {
  const stopping = new AbortController()
  const ended = Promise.withResolvers<void>()
  async function* endless(): AsyncGenerator<ServerEvent> {
    try {
      while (true) yield { event: 'job', data: 1 }
    } finally {
      ended.resolve()
    }
  }
  const stream = createEventStream(endless(), { lastEventId: undefined, signal: stopping.signal })
  for await (const chunk of stream) if (String(chunk).includes('id: ')) stopping.abort()
  await ended.promise
})

test('ignores an error of the source after an abort', async () => {
  const stopping = new AbortController()
  async function* waiting(): AsyncGenerator<ServerEvent> {
    yield { event: 'job', data: 1 }
    await new Promise((_resolve, reject) =>
      stopping.signal.addEventListener('abort', () => reject(new Error('stopped'))),
    )
  }
  const stream = createEventStream(waiting(), { lastEventId: undefined, signal: stopping.signal })
  for await (const chunk of stream) if (String(chunk).includes('id: 1')) stopping.abort()
})

test('an error of the source rejects the stream', async () => {
  async function* failing(): AsyncGenerator<ServerEvent> {
    yield { event: 'job', data: 1 }
    throw new Error('the database has gone')
  }
  const stream = createEventStream(failing(), { lastEventId: undefined, signal: open })
  await assert.rejects(textOf(stream), /the database has gone/)
})
