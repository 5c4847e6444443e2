/** Model of the scene, which plays the script of the latest prompt. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChatRequest,
  type Exchange,
  type ModelServer,
  refuses,
  replies,
  startModelServer,
} from '../../tests/kit/model-server.ts'
import { anyTurn } from './scene-answers.ts'
import type { SceneTurn } from './scene-jobs.ts'
import type { ScenePage } from './scene-pages.ts'

/** Messages from the agent's own loop rather than from a person. */
const NOT_ASKED = /^(The check before publishing found|You used no tool|Your answer was cut off)/
/** Request to review a finished change, which repeats the last answer. */
const SECOND_LOOK = /^The check found no new problem/

/** Delay of answers to a prompt without a script, slow enough to watch. */
const THINKING_MS = 1200

/** Longer than any turn may take, so that the job fails at once. */
const HOURS_AWAY = 40

export interface SceneModel extends ModelServer {
  /** Whether the script of the prompt has ended. */
  isAtEnd(prompt: string): boolean
}

export async function startSceneModel(
  turns: readonly SceneTurn[],
  pages: readonly ScenePage[],
): Promise<SceneModel> {
  const atEnd = new Set<string>()
  const server = await startModelServer((request) => async (exchange) => {
    const { prompt, answered, looksAgain } = positionIn(request)
    const turn = turns.find((one) => prompt.startsWith(one.prompt))
    const answers = turn?.answers ?? anyTurn(pages[prompt.length % pages.length] as ScenePage, prompt)
    if (turn === undefined) await sleep(THINKING_MS)
    const answer = looksAgain ? answers.at(-1) : answers[answered]
    if (answer !== undefined) return replies(answer)(exchange)
    if (turn !== undefined) atEnd.add(turn.prompt)
    await endOf(turn, exchange)
  })
  return { ...server, requests: server.requests, isAtEnd: (prompt) => atEnd.has(prompt) }
}

/** Returns the last prompt of a person, and the number of answers since. */
function positionIn({ messages }: ChatRequest): { prompt: string; answered: number; looksAgain: boolean } {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && isAsked(content ?? ''))
  const answered = messages.slice(at).filter(({ role }) => role === 'assistant').length
  const last = messages.findLast(({ role }) => role === 'user')
  return {
    prompt: messages[at]?.content ?? '',
    answered,
    looksAgain: SECOND_LOOK.test(last?.content ?? ''),
  }
}

function isAsked(content: string): boolean {
  return !NOT_ASKED.test(content) && !SECOND_LOOK.test(content)
}

async function endOf(turn: SceneTurn | undefined, exchange: Exchange): Promise<void> {
  switch (turn?.end) {
    case 'silent':
      return new Promise((resolve) =>
        exchange.gone.addEventListener('abort', () => resolve(), { once: true }),
      )
    case 'busy':
      return refuses(503, 'The model is overloaded.', { 'retry-after': '1500' })(exchange)
    case 'away':
      return refuses(503, 'The service is down for maintenance.', {
        'retry-after': String(HOURS_AWAY * 3600),
      })(exchange)
    case 'refuses the key':
      return refuses(401, 'Incorrect API key provided.')(exchange)
    default:
      return refuses(400, 'The script ends here.')(exchange)
  }
}
