/** Sends a question to the platform and reads the events of its answer. */
import type {
  AskAssistantBody,
  AssistantEvent,
} from '../../../src/features/assistant/operations/assistant.ts'

/**
 * Calls `onEvent` for each event. Rejects with an error whose message is shown, or with null if there is
 * nothing to report.
 */
export async function streamResponse(
  address: string,
  body: AskAssistantBody,
  signal: AbortSignal,
  onEvent: (event: AssistantEvent) => void,
): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal,
  })
  if (!response.ok || !response.body) throw new Error(await readErrorMessage(response))
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let isOver = false
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const event of blocks.flatMap(parseEvents)) {
      isOver ||= event.event === 'end' || event.event === 'error'
      onEvent(event)
    }
  }
  if (!isOver) throw new Error('')
}

function parseEvents(block: string): AssistantEvent[] {
  const event = /^event: (.*)$/m.exec(block)?.[1]
  const data = /^data: (.*)$/m.exec(block)?.[1]
  return event === undefined || data === undefined
    ? []
    : [{ event, data: JSON.parse(data) } as AssistantEvent]
}

async function readErrorMessage(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown }
  return typeof error === 'string' && (response.status === 429 || response.status === 400) ? error : ''
}

export async function sendRating(address: string, id: string, helpful: boolean | null): Promise<boolean> {
  const response = await fetch(`${address}/rating`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, helpful }),
    credentials: 'omit',
    keepalive: true,
  }).catch(() => null)
  return response?.ok === true
}
