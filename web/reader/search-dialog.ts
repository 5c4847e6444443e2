/**
 * Search dialog: a combobox over a list of pages and their sections. It is not modal, because making the page
 * inert recalculates the styles of all elements, which takes a second for a long page on a slow machine.
 */
import { createElement, loopFocus } from './dom.ts'
import type { Result, SearchLocation, SiteSearch } from './search-index.ts'
import { createSearchList, type SearchList } from './search-list.ts'
import type { SearchLabels } from './search-opener.ts'
import { createQueryGroup, createResultGroup } from './search-results.ts'
import { createSearchTracker, type SearchTracker } from './search-tracker.ts'
import { KEYS, readStoredList, writeStored } from './storage.ts'

const LOADING_DELAY_MS = 300
const MAX_RECENT_QUERIES = 5

export interface SearchDialog {
  open(query: string): void
  useSearch(search: SiteSearch): void
  fail(): void
}

interface Parts extends SearchList {
  screen: HTMLElement
  dialog: HTMLDialogElement
  input: HTMLInputElement
  labels: SearchLabels
  searchTracker: SearchTracker
}

export function createSearchDialog(labels: SearchLabels, location: SearchLocation): SearchDialog {
  const input = createSearchField(labels)
  const searchTracker = createSearchTracker()
  const rows = createSearchList(input, labels.title, (option, event) => {
    if (option.dataset.query !== undefined) {
      event.preventDefault()
      input.value = option.dataset.query
      answers.update()
      input.focus()
      return
    }
    searchTracker.followed(option.href)
    rememberQuery(input.value.trim())
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) dialog.close()
  })
  const dialog = createDialog(input, rows, labels)
  const screen = createSearchScreen(dialog, input)
  const parts: Parts = { ...rows, input, labels, searchTracker, dialog, screen }
  const answers = createSearchController(parts, location)
  const { list, note } = parts
  input.addEventListener('input', answers.update)
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      rows.move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      answers.choose(event)
    }
  })
  dialog.addEventListener('close', () => {
    // The close event fires asynchronously: the dialog may be open again.
    if (dialog.open) return
    screen.hidden = true
    searchTracker.closed()
    input.blur()
  })
  return {
    open: (query) => {
      if (query !== '') input.value = query
      if (!dialog.open) {
        searchTracker.closed()
        screen.hidden = false
        dialog.show()
      }
      input.focus()
      input.select()
      answers.update()
      setTimeout(() => list.toggleAttribute('data-waiting', answers.isWaiting()), LOADING_DELAY_MS)
    },
    useSearch: answers.use,
    fail: () => {
      list.removeAttribute('data-waiting')
      note.dataset.failed = ''
      rows.show([], [createElement('strong', {}, labels.failed)])
    },
  }
}

interface Answers {
  update(): void
  use(search: SiteSearch): void
  isWaiting(): boolean
  /** Follows the active row, or the first result if the search is still running. */
  choose(event: KeyboardEvent): void
}

function createSearchController(parts: Parts, location: SearchLocation): Answers {
  const { input, list, note, labels, searchTracker, show, choose } = parts
  let search: SiteSearch | null = null
  /** Number of the latest query; results of earlier queries are dropped. */
  let requestedNumber = 0
  let answeredNumber = 0
  let pendingChoice = 0
  /** True while recent searches or the invitation to type are shown. */
  let isStart = true

  const answer = async (from: SiteSearch, query: string, number: number) => {
    // Debounced, so that incomplete words do not load any files.
    if (from.pause > 0) await new Promise((resolve) => setTimeout(resolve, from.pause))
    if (number !== requestedNumber) return
    let results: Result[]
    let nearest: string[]
    try {
      // A trailing space marks the last word as complete.
      results = await from.find(input.value.trimStart())
      nearest = results.length > 0 ? [] : await from.corrections(query)
    } catch {
      if (number !== requestedNumber) return
      list.removeAttribute('data-waiting')
      show([], [createElement('strong', {}, labels.failed)])
      return
    }
    if (number !== requestedNumber) return
    answeredNumber = number
    list.removeAttribute('data-waiting')
    searchTracker.typed(query, results.length)
    if (results.length > 0)
      show(
        results.map((result) => createResultGroup(result, location)),
        [],
      )
    else
      show(nearest.length > 0 ? [createQueryGroup(labels.nearest, nearest)] : [], [
        createElement('strong', {}, `${labels.empty} “${query}”`),
        createElement('span', {}, labels.hint),
      ])
    if (pendingChoice === number && results.length > 0) choose()
  }
  const update = () => {
    requestedNumber += 1
    const query = input.value.trim()
    if (query === '') {
      answeredNumber = requestedNumber
      isStart = true
      list.removeAttribute('data-waiting')
      showRecent(parts, update)
      return
    }
    if (isStart && note.dataset.failed === undefined) show([], [])
    isStart = false
    if (search) void answer(search, query, requestedNumber)
    setTimeout(() => list.toggleAttribute('data-waiting', isWaiting()), LOADING_DELAY_MS)
  }
  const isWaiting = () =>
    note.dataset.failed === undefined && (search === null || answeredNumber !== requestedNumber)
  return {
    update,
    use: (ready) => {
      search = ready
      delete note.dataset.failed
      list.removeAttribute('data-waiting')
      update()
    },
    isWaiting,
    choose: (event) => {
      if (answeredNumber === requestedNumber) choose(event)
      else pendingChoice = requestedNumber
    },
  }
}

function showRecent({ input, labels, show }: Parts, update: () => void): void {
  const recent = readStoredList(KEYS.searches)
  if (recent.length === 0) {
    show([], [createElement('span', {}, labels.start)])
    return
  }
  const clear = createElement('button', { type: 'button', class: 'search-clear' }, labels.clear)
  clear.addEventListener('click', () => {
    writeStored(KEYS.searches, '[]')
    update()
    input.focus()
  })
  show([createQueryGroup(labels.recent, recent, clear)], [])
}

function rememberQuery(query: string): void {
  const others = readStoredList(KEYS.searches).filter((one) => one !== query)
  writeStored(KEYS.searches, JSON.stringify([query, ...others].slice(0, MAX_RECENT_QUERIES)))
}

function createDialog(
  input: HTMLInputElement,
  { list, note }: SearchList,
  labels: SearchLabels,
): HTMLDialogElement {
  const close = createElement(
    'button',
    { type: 'button', class: 'search-close', 'aria-label': labels.close },
    'Esc',
  )
  const glyph = createElement('span', { class: 'search-glyph', 'aria-hidden': 'true' })
  const bar = createElement('div', { class: 'search-bar' }, glyph, input, close)
  const attributes = { class: 'search', 'aria-label': labels.title, 'aria-modal': 'true' }
  // The system's back gesture also closes the dialog.
  const dialog = createElement('dialog', { ...attributes, closedby: 'closerequest' }, bar, list, note)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', (event) => {
    // The shortcut that opens the dialog also closes it.
    const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if ((!isShortcut && event.key !== 'Escape') || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    dialog.close()
  })
  loopFocus(dialog, () => dialog.open)
  return dialog
}

function createSearchScreen(dialog: HTMLDialogElement, input: HTMLInputElement): HTMLElement {
  const screen = createElement('div', { class: 'search-screen', hidden: '' }, dialog)
  document.body.append(screen)
  // A click keeps the focus in the search field; closing the dialog restores the earlier focus.
  screen.addEventListener('mousedown', (event) => {
    if (event.target === screen) event.preventDefault()
  })
  screen.addEventListener('click', (event) => {
    if (event.target === screen) dialog.close()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (dialog.open && target instanceof Node && !screen.contains(target)) input.focus()
  })
  return screen
}

function createSearchField(labels: SearchLabels): HTMLInputElement {
  return createElement('input', {
    id: 'search-input',
    type: 'text',
    role: 'combobox',
    placeholder: labels.prompt,
    'aria-label': labels.title,
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
  })
}
