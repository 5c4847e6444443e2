/** Sends a request through the platform's proxy, for APIs that do not allow cross-origin requests. */

import type { PlatformFacts } from '../../../src/base/api/widgets.ts'
import type { CallEvent, ForwardCallBody } from '../../../src/features/reader/operations/playground.ts'
import { type BuiltRequest, toFetchBody } from '../../../src/openapi/build-request.ts'
import { linkedFile, loadScript } from '../dom.ts'
import { type Answer, readAnswer, type SendOptions } from './send-request.ts'

/** Returns the proxy URL; null when the site has no platform. */
export async function resolveProxyUrl(): Promise<string | null> {
  const file = linkedFile('platform')
  if (file === null) return null
  await loadScript(file).catch(() => undefined)
  const address = (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform?.playground
  return address && location.protocol !== 'file:' ? address : null
}

export function proxyHost(address: string): string {
  return new URL(address, location.href).host
}

/** Rejects with an Error whose message comes from the platform, or with TypeError when it is unreachable. */
export async function sendThroughProxy(
  address: string,
  request: BuiltRequest,
  options: Pick<SendOptions, 'signal' | 'onProgress'>,
): Promise<Answer> {
  const started = performance.now()
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(await toForwardCall(request)),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: options.signal,
  })
  if (!response.ok || !response.body) throw new Error(await readErrorMessage(response))
  const events = readEvents(response.body)
  const first = await events.next()
  if (first.done) throw new TypeError('no answer')
  if (first.value.event === 'error') throw new Error(first.value.data.error)
  if (first.value.event !== 'head') throw new TypeError('no head')
  const { status, headers } = first.value.data
  let isCut = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = await events.next()
      if (!next.done && next.value.event === 'end') isCut = next.value.data.isCut
      if (next.done || next.value.event === 'end') return controller.close()
      if (next.value.event === 'error') return controller.error(new Error(next.value.data.error))
      if (next.value.event === 'part') controller.enqueue(decodeBase64(next.value.data.data))
    },
    cancel: () => void events.return(undefined),
  })
  const pairs = headers.map(({ name, value }) => [name, value] as const)
  const answer = await readAnswer(new Response(body), started, options, {
    status,
    statusText: '',
    headers: pairs,
  })
  return isCut ? { ...answer, isCut } : answer
}

async function toForwardCall(request: BuiltRequest): Promise<ForwardCallBody> {
  const { method, url, body } = request
  const sent = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]))
  const call = { method: method as ForwardCallBody['method'], url }
  if (body === null || method === 'GET' || method === 'HEAD') return { ...call, headers: toHeaderList(sent) }
  // Sets the content type like a browser: that of a form includes the boundary.
  const made = new Response(toFetchBody(body))
  const type = made.headers.get('content-type')
  if (!sent.has('content-type') && type !== null) sent.set('content-type', type)
  return { ...call, headers: toHeaderList(sent), body: await encodeBase64(await made.blob()) }
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
}

async function encodeBase64(blob: Blob): Promise<string> {
  const reader = new FileReader()
  const read = new Promise((resolve) => reader.addEventListener('loadend', resolve, { once: true }))
  reader.readAsDataURL(blob)
  await read
  if (reader.error) throw reader.error
  return String(reader.result).replace(/^[^,]*,/, '')
}

function toHeaderList(headers: Headers): { name: string; value: string }[] {
  return [...headers].map(([name, value]) => ({ name, value }))
}

async function* readEvents(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<CallEvent> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) } as CallEvent
    }
  }
}

async function readErrorMessage(response: Response): Promise<string> {
  const { error, details } = (await response.json().catch(() => ({}))) as {
    error?: string
    details?: { message: string }[]
  }
  return details?.[0]?.message ?? error ?? String(response.status)
}
