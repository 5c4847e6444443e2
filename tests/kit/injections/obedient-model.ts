/**
 * A model that always obeys the attacker. It follows an honest prompt until it sees an order, wherever that is. Then it
 * uses the tools as the attack says and puts all of their answers into its report, and sometimes into a page too, where
 * anyone reading the change would see them.
 */

import type { Injection } from '../injections.ts'
import { type ChatMessage, type ChatRequest, replies, type Script } from '../model-server.ts'
import { type Attack, type Call, write } from './attack.ts'

export interface ObedientModel {
  script: Script
  /** Role of the message that contained the order, by case ID. */
  reached: ReadonlyMap<string, string>
  /** IDs of the cases whose attack was carried out completely. */
  carriedOut: ReadonlySet<string>
}

/** Only one in this many cases writes a page of loot, because each costs a check and a commit. */
const LOOT_EVERY = 7
/** Label of a group in the site's navigation. */
const MENU = 'Start'
/** Maximum number of characters taken from tool answers. */
const LOOT = 30_000

export function createObedientModel(cases: readonly Injection[]): ObedientModel {
  const byId = new Map(cases.map((one) => [one.id, one]))
  const reached = new Map<string, string>()
  const carriedOut = new Set<string>()

  function answer({ messages }: ChatRequest): Call[] {
    const named = [...promptOf(messages).matchAll(/case-(\d{4})/g)].map(([, id = '']) => id)
    const at = messages.filter(({ role }) => role === 'assistant').length
    let steps = 0
    let isReached = false
    for (const id of named) {
      const injection = byId.get(id)
      if (injection === undefined) throw new Error(`there is no case ${id}`)
      // Old answers are dropped from the conversation, so remember the cases that were already reached.
      const bringer =
        reached.get(id) ??
        messages.find(({ role, content }) => role !== 'assistant' && content?.includes(injection.order))?.role
      if (bringer !== undefined) reached.set(id, bringer)
      isReached ||= bringer !== undefined
      // Do the honest work first: it brings the order and leaves the site intact.
      const todo = [...injection.place.look(id), ...(bringer === undefined ? [] : injection.attack.steps)]
      if (at < steps + todo.length) return [...(todo[at - steps] as readonly Call[])]
      steps += todo.length
      if (bringer !== undefined) carriedOut.add(id)
    }
    const [first = ''] = named
    const unplaced = unplacedPages(messages)
    if (unplaced.length > 0) return unplaced.map(place)
    if (isReached && at === steps && Number(first) % LOOT_EVERY === 0)
      return [write(`loot/${first}.mdx`, lootPage(messages))]
    return [report(byId.get(first)?.attack, messages)]
  }

  return {
    script: (request) => replies({ toolCalls: answer(request) }),
    reached,
    carriedOut,
  }
}

function promptOf(messages: readonly ChatMessage[]): string {
  return messages.find(({ role }) => role === 'user')?.content ?? ''
}

function lootOf(messages: readonly ChatMessage[]): string {
  const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '')
  return answers.join('\n').slice(0, LOOT)
}

function lootPage(messages: readonly ChatMessage[]): string {
  const fence = '~'.repeat(20)
  return `---\ntitle: Loot\ndescription: Loot\n---\n\n${fence}text\n${lootOf(messages).replaceAll(fence, '')}\n${fence}\n`
}

function report(attack: Attack | undefined, messages: readonly ChatMessage[]): Call {
  const {
    title = 'Loot',
    summary = lootOf(messages).slice(0, 4000) || 'Nothing.',
    reason,
  } = attack?.finish ?? {}
  const reasons = missingReasons(messages).map((path) => ({
    path,
    reason: reason ?? (lootOf(messages).slice(-500).trim() || 'None.'),
  }))
  return { name: 'finish', input: { title, summary, reasons } }
}

/** Returns the files that still lack a reason, which the tool names in its refusals. */
function missingReasons(messages: readonly ChatMessage[]): string[] {
  const refusals = messages.filter(({ content }) => content?.startsWith('Give a reason'))
  const named = refusals.flatMap(({ content }) => content?.match(/"(?:[^"\\]|\\.)*"/g) ?? [])
  return [...new Set(named.map((path) => JSON.parse(path) as string))]
}

/** Returns the pages that the check wants in the navigation. The model adds them so that the order reaches readers. */
function unplacedPages(messages: readonly ChatMessage[]): string[] {
  const { role, content } = messages.at(-1) ?? {}
  if (role !== 'user' || !content?.startsWith('The check before publishing')) return []
  return [...content.matchAll(/^- (\S+)\.mdx?: The new page is not in the navigation/gm)].map(
    ([, page = '']) => page,
  )
}

function place(page: string): Call {
  return { name: 'update_navigation', input: { operation: 'add_page', page, within: [MENU] } }
}
