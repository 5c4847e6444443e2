/** Conversation with the assistant, as a panel at the side or embedded in a page. */
import type { PlatformFacts } from '../../../src/base/api/widgets.ts'
import { all, announce, linkedFile, loadScript, make } from '../dom.ts'
import { askPlatform, rate } from './answer-stream.ts'
import {
  bodyOf,
  type Conversation,
  keep,
  newConversation,
  newTurn,
  openConversation,
  type Turn,
  textOf,
} from './conversation.ts'
import { drawTurn, type TurnActions } from './turn-view.ts'
import { word } from './words.ts'

const LONGEST_QUESTION = 1000
const SUGGESTED_HEADINGS = 2

export interface Panel {
  open(selection: string | null): void
}

interface State {
  parts: ReturnType<typeof makeParts>
  conversation: Conversation
  /** Selected text of the page that the next question is about. */
  selection: string | null
  /** Aborts the pending answer. */
  stopping: AbortController | null
  /** Element that had the focus before the panel opened. */
  opener: Element | null
}

/** `place` embeds the panel there, permanently open; null opens it at the side. */
export function createPanel(place: Element | null): Panel {
  const state: State = {
    parts: makeParts(place !== null),
    conversation: openConversation(),
    selection: null,
    stopping: null,
    opener: null,
  }
  const { root, field } = state.parts
  ;(place ?? document.body).append(root)
  listen(state)
  if (place) draw(state)
  return {
    open(selected) {
      if (isDialog(root)) {
        if (root.open && selected === null) return shut(state)
        if (!root.open) state.opener = document.activeElement
      }
      state.selection = selected
      draw(state)
      if (isDialog(root)) root.show()
      field.focus()
    },
  }
}

function isDialog(root: HTMLElement): root is HTMLDialogElement {
  return root.localName === 'dialog'
}

function makeParts(isInPage: boolean) {
  const field = make('textarea', {
    rows: '2',
    maxlength: String(LONGEST_QUESTION),
    'aria-label': word('askPrompt'),
  })
  field.placeholder = word('askPrompt')
  const send = make('button', { type: 'submit', class: 'ask-send' }, word('askSend'))
  const about = make('div', { class: 'ask-about' })
  const form = make('form', { class: 'ask-form' }, about, field, send)
  const log = make('div', {
    class: 'ask-log',
    role: 'log',
    'aria-live': 'off',
    'aria-label': word('askTitle'),
    tabindex: '0',
  })
  const fresh = make('button', { type: 'button', class: 'ask-plain' }, word('askNew'))
  const close = make('button', { type: 'button', class: 'ask-plain', 'aria-label': word('close') }, '×')
  close.hidden = isInPage
  const head = make('div', { class: 'ask-head' }, make('h2', {}, word('askTitle')), fresh, close)
  const note = make('p', { class: 'ask-note' }, word('askNote'))
  const root: HTMLElement = make(
    isInPage ? 'section' : 'dialog',
    { class: 'ask-panel', 'aria-label': word('askTitle') },
    head,
    log,
    form,
    note,
  )
  return { root, field, send, about, form, log, fresh, close }
}

function listen(state: State): void {
  const { root, field, form, fresh, close } = state.parts
  form.onsubmit = (event) => {
    event.preventDefault()
    if (state.stopping !== null) state.stopping.abort()
    else submit(state)
  }
  field.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (state.stopping === null) submit(state)
  }
  fresh.onclick = () => {
    state.stopping?.abort()
    state.conversation = newConversation()
    keep(state.conversation)
    draw(state)
    field.focus()
  }
  close.onclick = () => shut(state)
  root.onkeydown = (event) => {
    if (event.key === 'Escape') shut(state)
  }
}

function shut({ parts, opener }: State): void {
  if (!isDialog(parts.root)) return
  parts.root.close()
  if (opener instanceof HTMLElement) opener.focus()
}

function submit(state: State): void {
  const { field } = state.parts
  const question = field.value.trim()
  field.focus()
  if (question === '') return
  field.value = ''
  void ask(state, question, state.selection)
}

function draw(state: State): void {
  const { log, fresh, send } = state.parts
  const { turns } = state.conversation
  const place = all<Element>('a, button', log).indexOf(document.activeElement ?? log)
  log.replaceChildren(
    ...(turns.length === 0
      ? suggestions(state)
      : turns.map((turn) => drawTurn(turn, actionsOf(state, turn)))),
  )
  log.scrollTop = log.scrollHeight
  fresh.hidden = turns.length === 0
  send.textContent = word(state.stopping === null ? 'askSend' : 'askStop')
  drawAbout(state)
  // Rendering has replaced the focused element.
  if (place !== -1) all('a, button', log)[place]?.focus()
}

function drawAbout(state: State): void {
  const { about, field } = state.parts
  const remove = make('button', { type: 'button', 'aria-label': word('clear') }, '×')
  remove.onclick = () => {
    state.selection = null
    drawAbout(state)
    field.focus()
  }
  const { selection } = state
  about.replaceChildren(...(selection === null ? [] : [make('q', {}, selection.slice(0, 160)), remove]))
}

function actionsOf(state: State, turn: Turn): TurnActions {
  const { turns } = state.conversation
  const retry = () => {
    turns.pop()
    void ask(state, turn.question, turn.selection)
  }
  return {
    retry: state.stopping === null && turn === turns.at(-1) ? retry : null,
    async rate(helpful) {
      const address = await assistantAddress()
      if (address === null || turn.id === null || !(await rate(address, turn.id, helpful))) return
      turn.helpful = helpful
      keep(state.conversation)
      draw(state)
    },
  }
}

function suggestions(state: State): HTMLElement[] {
  const headings = all('#content-area h2').flatMap((heading) => headingText(heading) || [])
  // A page that embeds the conversation has little to summarize.
  const summary = isDialog(state.parts.root) ? [word('askSummary')] : []
  const questions = [...headings.slice(0, SUGGESTED_HEADINGS), ...summary, word('askBefore')]
  return questions.map((question) => {
    const button = make('button', { type: 'button', class: 'ask-suggestion' }, question)
    button.onclick = () => void ask(state, question, state.selection)
    return button
  })
}

async function ask(state: State, question: string, about: string | null): Promise<void> {
  const { conversation } = state
  const stopping = new AbortController()
  const turn = newTurn(question, about)
  conversation.turns.push(turn)
  state.stopping = stopping
  state.selection = null
  draw(state)
  state.parts.field.focus()
  await runTurn(state, turn, stopping.signal)
  if (state.stopping === stopping) state.stopping = null
  // A new conversation may have started in the meantime.
  if (state.conversation === conversation) keep(conversation)
  draw(state)
}

async function runTurn(state: State, turn: Turn, signal: AbortSignal): Promise<void> {
  try {
    const address = await assistantAddress()
    if (address === null) throw new Error('')
    await askPlatform(address, bodyOf(state.conversation, turn), signal, (event) => {
      if (event.event === 'start') turn.id = event.data.id
      else if (event.event === 'claim') turn.claims.push(event.data)
      else if (event.event === 'error') turn.state = 'failed'
      else {
        turn.nearest = event.data.nearest
        turn.state = 'done'
      }
      draw(state)
    })
  } catch (error) {
    turn.state = signal.aborted ? 'stopped' : 'failed'
    turn.error = error instanceof TypeError || signal.aborted ? '' : (error as Error).message
  }
  announce(spoken(turn))
}

/** Returns the complete answer for screen readers, because a live log would be read again with each statement. */
function spoken(turn: Turn): string {
  if (turn.state === 'stopped') return word('askStopped')
  if (turn.state === 'failed') return turn.error || word('askFailed')
  return turn.claims.length > 0 ? textOf(turn) : word('askUncovered')
}

/** Returns the text of a heading without its anchor link. */
function headingText(heading: HTMLElement): string {
  const copy = heading.cloneNode(true) as HTMLElement
  for (const mark of all('.heading-anchor', copy)) mark.remove()
  return copy.textContent?.trim() ?? ''
}

/** Returns the URL of the assistant; null when the site has none. */
async function assistantAddress(): Promise<string | null> {
  const file = linkedFile('platform')
  if (file === null) return null
  await loadScript(file)
  return (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform?.assistant ?? null
}
