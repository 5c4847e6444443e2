/** Conversation of a tab: questions with their answers, stored for the session and sent up to a limit. */
import type {
  AskAssistantBody,
  AssistantEvent,
} from '../../../src/features/assistant/operations/assistant.ts'
import { findElement } from '../dom.ts'
import { KEYS, readStored, writeStored } from '../storage.ts'

type Data<Name extends AssistantEvent['event']> = Extract<AssistantEvent, { event: Name }>['data']

export interface Turn {
  question: string
  selection: string | null
  state: 'asking' | 'done' | 'failed' | 'stopped'
  /** Id of the answer, once it has started. */
  id: string | null
  claims: Data<'claim'>[]
  nearest: Data<'end'>['nearest']
  helpful: boolean | null
  error: string
}

export interface Conversation {
  threadId: string
  turns: Turn[]
}

const MAX_TURNS = 10
const MAX_ANSWER_CHARACTERS = 3500

export function loadConversation(): Conversation {
  const stored = readStoredConversation()
  // A question that was pending when the page was left has been aborted.
  for (const turn of stored?.turns ?? []) if (turn.state === 'asking') turn.state = 'stopped'
  return stored ?? createConversation()
}

export function createConversation(): Conversation {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return { threadId: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''), turns: [] }
}

export function saveConversation(conversation: Conversation): void {
  const turns = conversation.turns.slice(-MAX_TURNS)
  writeStored(KEYS.assistant, JSON.stringify({ ...conversation, turns }), 'session')
}

export function createTurn(question: string, selection: string | null): Turn {
  return { question, selection, state: 'asking', id: null, claims: [], nearest: [], helpful: null, error: '' }
}

export function toRequestBody(conversation: Conversation, turn: Turn): AskAssistantBody {
  const before = conversation.turns.slice(0, -1).filter(({ claims }) => claims.length > 0)
  const html = document.documentElement
  const { language, version } = findElement('.ask-button')?.dataset ?? {}
  const message = (role: 'user' | 'assistant', text: string): AskAssistantBody['messages'][number] => ({
    role,
    parts: [{ type: 'text', text }],
  })
  return {
    threadId: conversation.threadId,
    currentPath: html.dataset.currentPath ?? '/',
    filter: { ...(language && { language }), ...(version && { version }) },
    messages: [
      ...before
        .slice(-4)
        .flatMap((one) => [
          message('user', one.question),
          message('assistant', answerText(one).slice(0, MAX_ANSWER_CHARACTERS)),
        ]),
      message('user', turn.question),
    ],
    ...(turn.selection === null ? {} : { context: [{ type: 'textSelection', value: turn.selection }] }),
  }
}

export function answerText({ claims }: Turn): string {
  return claims.map(({ text }) => text).join('\n\n')
}

function readStoredConversation(): Conversation | null {
  try {
    const stored = JSON.parse(readStored(KEYS.assistant, 'session') ?? 'null') as Conversation | null
    return typeof stored?.threadId === 'string' && Array.isArray(stored.turns) ? stored : null
  } catch {
    return null
  }
}
