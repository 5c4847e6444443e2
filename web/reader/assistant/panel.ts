/** Conversation with the assistant, as a panel at the side or embedded in a page. */
import type { PlatformFacts } from '../../../src/base/api/widgets.ts'
import { announce, createElement, findElements, linkedFile, loadScript } from '../dom.ts'
import { sendRating, streamResponse } from './answer-stream.ts'
import {
  answerText,
  type Conversation,
  createConversation,
  createTurn,
  loadConversation,
  saveConversation,
  type Turn,
  toRequestBody,
} from './conversation.ts'
import { renderTurn, type TurnActions } from './turn-view.ts'
import { uiText } from './ui-text.ts'

const MAX_QUESTION_CHARACTERS = 1000
const MAX_SUGGESTED_HEADINGS = 2

export interface Panel {
  open(selection: string | null): void
}

interface State {
  parts: ReturnType<typeof createElements>
  conversation: Conversation
  /** Selected text of the page that the next question is about. */
  selection: string | null
  abortController: AbortController | null
  opener: Element | null
}

/** Embeds the panel in `container`, permanently open; if it is null, the panel opens at the side. */
export function createPanel(container: Element | null): Panel {
  const state: State = {
    parts: createElements(container !== null),
    conversation: loadConversation(),
    selection: null,
    abortController: null,
    opener: null,
  }
  const { root, field } = state.parts
  ;(container ?? document.body).append(root)
  addListeners(state)
  if (container) renderPanel(state)
  return {
    open(selected) {
      if (isDialog(root)) {
        if (root.open && selected === null) return closePanel(state)
        if (!root.open) state.opener = document.activeElement
      }
      state.selection = selected
      renderPanel(state)
      if (isDialog(root)) root.show()
      field.focus()
    },
  }
}

function isDialog(root: HTMLElement): root is HTMLDialogElement {
  return root.localName === 'dialog'
}

function createElements(isInPage: boolean) {
  const field = createElement('textarea', {
    rows: '2',
    maxlength: String(MAX_QUESTION_CHARACTERS),
    'aria-label': uiText('askPrompt'),
  })
  field.placeholder = uiText('askPrompt')
  const send = createElement('button', { type: 'submit', class: 'ask-send' }, uiText('askSend'))
  const about = createElement('div', { class: 'ask-about' })
  const form = createElement('form', { class: 'ask-form' }, about, field, send)
  const log = createElement('div', {
    class: 'ask-log',
    role: 'log',
    'aria-live': 'off',
    'aria-label': uiText('askTitle'),
    tabindex: '0',
  })
  const fresh = createElement('button', { type: 'button', class: 'ask-plain' }, uiText('askNew'))
  const close = createElement(
    'button',
    { type: 'button', class: 'ask-plain', 'aria-label': uiText('close') },
    '×',
  )
  close.hidden = isInPage
  const head = createElement(
    'div',
    { class: 'ask-head' },
    createElement('h2', {}, uiText('askTitle')),
    fresh,
    close,
  )
  const note = createElement('p', { class: 'ask-note' }, uiText('askNote'))
  const root: HTMLElement = createElement(
    isInPage ? 'section' : 'dialog',
    { class: 'ask-panel', 'aria-label': uiText('askTitle') },
    head,
    log,
    form,
    note,
  )
  return { root, field, send, about, form, log, fresh, close }
}

function addListeners(state: State): void {
  const { root, field, form, fresh, close } = state.parts
  form.onsubmit = (event) => {
    event.preventDefault()
    if (state.abortController !== null) state.abortController.abort()
    else submit(state)
  }
  field.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (state.abortController === null) submit(state)
  }
  fresh.onclick = () => {
    state.abortController?.abort()
    state.conversation = createConversation()
    saveConversation(state.conversation)
    renderPanel(state)
    field.focus()
  }
  close.onclick = () => closePanel(state)
  root.onkeydown = (event) => {
    if (event.key === 'Escape') closePanel(state)
  }
}

function closePanel({ parts, opener }: State): void {
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
  void askQuestion(state, question, state.selection)
}

function renderPanel(state: State): void {
  const { log, fresh, send } = state.parts
  const { turns } = state.conversation
  const container = findElements<Element>('a, button', log).indexOf(document.activeElement ?? log)
  log.replaceChildren(
    ...(turns.length === 0
      ? createSuggestions(state)
      : turns.map((turn) => renderTurn(turn, createActions(state, turn)))),
  )
  log.scrollTop = log.scrollHeight
  fresh.hidden = turns.length === 0
  send.textContent = uiText(state.abortController === null ? 'askSend' : 'askStop')
  renderAbout(state)
  // Restores the focus, because rendering has replaced the focused element.
  if (container !== -1) findElements('a, button', log)[container]?.focus()
}

function renderAbout(state: State): void {
  const { about, field } = state.parts
  const remove = createElement('button', { type: 'button', 'aria-label': uiText('clear') }, '×')
  remove.onclick = () => {
    state.selection = null
    renderAbout(state)
    field.focus()
  }
  const { selection } = state
  about.replaceChildren(
    ...(selection === null ? [] : [createElement('q', {}, selection.slice(0, 160)), remove]),
  )
}

function createActions(state: State, turn: Turn): TurnActions {
  const { turns } = state.conversation
  const retry = () => {
    turns.pop()
    void askQuestion(state, turn.question, turn.selection)
  }
  return {
    retry: state.abortController === null && turn === turns.at(-1) ? retry : null,
    async rate(helpful) {
      const address = await resolveAssistantUrl()
      if (address === null || turn.id === null || !(await sendRating(address, turn.id, helpful))) return
      turn.helpful = helpful
      saveConversation(state.conversation)
      renderPanel(state)
    },
  }
}

function createSuggestions(state: State): HTMLElement[] {
  const headings = findElements('#content-area h2').flatMap((heading) => headingText(heading) || [])
  // A page that embeds the conversation has little to summarize.
  const summary = isDialog(state.parts.root) ? [uiText('askSummary')] : []
  const questions = [...headings.slice(0, MAX_SUGGESTED_HEADINGS), ...summary, uiText('askBefore')]
  return questions.map((question) => {
    const button = createElement('button', { type: 'button', class: 'ask-suggestion' }, question)
    button.onclick = () => void askQuestion(state, question, state.selection)
    return button
  })
}

async function askQuestion(state: State, question: string, about: string | null): Promise<void> {
  const { conversation } = state
  const abortController = new AbortController()
  const turn = createTurn(question, about)
  conversation.turns.push(turn)
  state.abortController = abortController
  state.selection = null
  renderPanel(state)
  state.parts.field.focus()
  await runTurn(state, turn, abortController.signal)
  if (state.abortController === abortController) state.abortController = null
  // A new conversation may have started in the meantime.
  if (state.conversation === conversation) saveConversation(conversation)
  renderPanel(state)
}

async function runTurn(state: State, turn: Turn, signal: AbortSignal): Promise<void> {
  try {
    const address = await resolveAssistantUrl()
    if (address === null) throw new Error('')
    await streamResponse(address, toRequestBody(state.conversation, turn), signal, (event) => {
      if (event.event === 'start') turn.id = event.data.id
      else if (event.event === 'claim') turn.claims.push(event.data)
      else if (event.event === 'error') turn.state = 'failed'
      else {
        turn.nearest = event.data.nearest
        turn.state = 'done'
      }
      renderPanel(state)
    })
  } catch (error) {
    turn.state = signal.aborted ? 'stopped' : 'failed'
    turn.error = error instanceof TypeError || signal.aborted ? '' : (error as Error).message
  }
  announce(screenReaderText(turn))
}

/** Returns the complete answer for screen readers, because a live region would be read again with each statement. */
function screenReaderText(turn: Turn): string {
  if (turn.state === 'stopped') return uiText('askStopped')
  if (turn.state === 'failed') return turn.error || uiText('askFailed')
  return turn.claims.length > 0 ? answerText(turn) : uiText('askUncovered')
}

/** Returns the text of a heading without its anchor link. */
function headingText(heading: HTMLElement): string {
  const copy = heading.cloneNode(true) as HTMLElement
  for (const mark of findElements('.heading-anchor', copy)) mark.remove()
  return copy.textContent?.trim() ?? ''
}

async function resolveAssistantUrl(): Promise<string | null> {
  const file = linkedFile('platform')
  if (file === null) return null
  await loadScript(file)
  return (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform?.assistant ?? null
}
