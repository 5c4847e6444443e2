/** Conversation of a tab: questions with their answers, stored for the session and sent along up to a limit. */
import type {
  AskAssistantBody,
  AssistantEvent,
} from '../../../src/features/assistant/operations/assistant.ts'
import { one } from '../dom.ts'
import { KEYS, recall, remember } from '../storage.ts'

type Data<Name extends AssistantEvent['event']> = Extract<AssistantEvent, { event: Name }>['data']

export interface Turn {
  question: string
  selection: string | null
  state: 'asking' | 'done' | 'failed' | 'stopped'
  /** Id of the answer, once it has begun. */
  id: string | null
  claims: Data<'claim'>[]
  nearest: Data<'end'>['nearest']
  helpful: boolean | null
  /** Error message of the platform. */
  error: string
}

export interface Conversation {
  threadId: string
  turns: Turn[]
}

const MOST_TURNS = 10
const LONGEST_ANSWER = 3500

export function openConversation(): Conversation {
  const kept = readKept()
  // A question that was pending when the page was left has been aborted.
  for (const turn of kept?.turns ?? []) if (turn.state === 'asking') turn.state = 'stopped'
  return kept ?? newConversation()
}

export function newConversation(): Conversation {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return { threadId: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''), turns: [] }
}

export function keep(conversation: Conversation): void {
  const turns = conversation.turns.slice(-MOST_TURNS)
  remember(KEYS.assistant, JSON.stringify({ ...conversation, turns }), 'session')
}

export function newTurn(question: string, selection: string | null): Turn {
  return { question, selection, state: 'asking', id: null, claims: [], nearest: [], helpful: null, error: '' }
}

/** `turn` is the last turn of the conversation. */
export function bodyOf(conversation: Conversation, turn: Turn): AskAssistantBody {
  const before = conversation.turns.slice(0, -1).filter(({ claims }) => claims.length > 0)
  const html = document.documentElement
  const { language, version } = one('.ask-button')?.dataset ?? {}
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
          message('assistant', textOf(one).slice(0, LONGEST_ANSWER)),
        ]),
      message('user', turn.question),
    ],
    ...(turn.selection === null ? {} : { context: [{ type: 'textSelection', value: turn.selection }] }),
  }
}

export function textOf({ claims }: Turn): string {
  return claims.map(({ text }) => text).join('\n\n')
}

function readKept(): Conversation | null {
  try {
    const kept = JSON.parse(recall(KEYS.assistant, 'session') ?? 'null') as Conversation | null
    return typeof kept?.threadId === 'string' && Array.isArray(kept.turns) ? kept : null
  } catch {
    return null
  }
}
