import { type BuiltRequest, toFetchBody } from '../../../src/openapi/build-request.ts'

export interface Answer {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  type: string
  /** Text received so far; null for files. */
  text: string | null
  /** The complete response, once it has arrived. */
  file: Blob | null
  bytes: number
  milliseconds: number
  isCut: boolean
  isDone: boolean
}

export interface SendOptions {
  signal: AbortSignal
  sendsCookies: boolean
  onProgress(answer: Answer): void
}

/** Maximum characters of text, and bytes of a response, that are stored. */
const MAX_TEXT_CHARACTERS = 12_000_000
const MAX_ANSWER_BYTES = 100_000_000
/** Interval between updates while a response is arriving, in ms. */
const PROGRESS_INTERVAL_MS = 80

/**
 * Rejects with TypeError when there is no response that the page may read, and with the abort reason when aborted.
 */
export async function sendRequest(request: BuiltRequest, options: SendOptions): Promise<Answer> {
  const { method, url, body } = request
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const started = performance.now()
  const response = await fetch(url, {
    method,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    body: hasBody ? toFetchBody(body) : null,
    credentials: options.sendsCookies ? 'include' : 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: options.signal,
  })
  return readAnswer(response, started, options, {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
  })
}

export async function readAnswer(
  response: Response,
  started: number,
  { onProgress }: Pick<SendOptions, 'onProgress'>,
  head: Pick<Answer, 'status' | 'statusText' | 'headers'>,
): Promise<Answer> {
  const type = head.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const decoder = isText(type) ? new TextDecoder(parseCharset(type)) : null
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const answer: Answer = {
    ...head,
    type,
    text: decoder ? '' : null,
    file: null,
    bytes: 0,
    milliseconds: performance.now() - started,
    isCut: false,
    isDone: false,
  }
  onProgress({ ...answer })
  const reader = response.body?.getReader()
  const throttledProgress = throttle(() =>
    onProgress({ ...answer, milliseconds: performance.now() - started }),
  )
  for (let part = await reader?.read(); reader && part?.value; part = await reader.read()) {
    const room = MAX_ANSWER_BYTES - answer.bytes
    if (part.value.byteLength > room) {
      answer.isCut = true
      await reader.cancel()
      break
    }
    chunks.push(part.value)
    answer.bytes += part.value.byteLength
    if (decoder) addText(answer, decoder.decode(part.value, { stream: true }))
    throttledProgress.schedule()
  }
  throttledProgress.stop()
  if (decoder) addText(answer, decoder.decode())
  const done = { ...answer, file: new Blob(chunks), milliseconds: performance.now() - started, isDone: true }
  onProgress(done)
  return done
}

/** Throttles updates, including a trailing one. */
function throttle(callback: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null
  const stop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    schedule() {
      timer ??= setTimeout(() => {
        timer = null
        callback()
      }, PROGRESS_INTERVAL_MS)
    },
    stop,
  }
}

function addText(answer: Answer, text: string): void {
  const room = MAX_TEXT_CHARACTERS - (answer.text ?? '').length
  if (text.length > room) answer.isCut = true
  answer.text += text.slice(0, Math.max(0, room))
}

/** A response without a type is shown as text, because most are empty or a short message. */
function isText(type: string): boolean {
  return type === '' || /^text\/|json|xml|yaml|javascript|x-www-form-urlencoded|graphql|csv/i.test(type)
}

function parseCharset(type: string): string {
  const label = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'utf-8'
  }
}
